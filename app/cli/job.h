// Shared options of commands that run stages, and the jobs that follow from them.
#pragma once

#include "app/cli/command.h"
#include "app/engine/worker.h"

#include "gemm/size.h"
#include "measure/baseline.h"
#include "stage.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace app {

// Runs a command's tasks on the chosen worker once its machine is known, and handles Ctrl-C as a request to stop.

// Returns the ladder followed by the user's stages. Reports unusable ones on standard error.
std::vector<kernels::Stage> ladder_with_own();

// Turns the first Ctrl-C into a stop request. The second one ends the program as usual. Must be created before other
// threads, because they inherit the blocked signal.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread thread_;
};

// Returns the index of a type among the alternatives of a variant.
template <class T, class... Others>
constexpr std::size_t index_in(const std::variant<Others...>*)
{
    constexpr bool same[] = {std::same_as<T, Others>...};
    return static_cast<std::size_t>(std::ranges::find(same, true) - same);
}

class CommandWorker {
public:
    using ShowProgress = std::function<void(const Progress&)>;

    // `backend` is "cuda" or "cpu"; default: the best available, with the reason on standard error if that is no GPU.
    // `stop` cancels the tasks; commands that Ctrl-C must not end pass it. Throws kernels::Unavailable if there is no
    // such backend.
    CommandWorker(const WorkerChoice& choice, const std::optional<std::string>& backend, std::stop_token stop = {});

    const MachineFacts& machine() const { return *machine_; }
    const recording::Device& device() const { return *machine_->device; }
    const std::vector<kernels::Stage>& ladder() const { return ladder_; }

    // Runs the task. Throws what the task throws. Prints events of the worker to standard error. `show` prints the
    // progress with tell_progress(); that line is erased at the end.
    template <class T>
    auto run(const T& task, const ShowProgress& show = nullptr)
    {
        return std::get<index_in<T>(static_cast<const Task*>(nullptr))>(run_task(task, show));
    }

private:
    Result run_task(const Task& task, const ShowProgress& show);

    std::vector<kernels::Stage> ladder_ = ladder_with_own();
    std::stop_token stop_;
    std::mutex mutex_;
    std::condition_variable changed_;
    MachinePtr machine_;
    std::unique_ptr<Worker> worker_; // last, because its threads use the other members
};

// The options as the user typed them.
struct JobOptions {
    std::vector<std::string> stages;     // slugs; empty: all
    std::vector<std::string> sizes;      // "128" or "128x64x32"; empty: the command's default
    std::vector<std::string> parameters; // for example "BM=64"
    std::optional<std::string> backend;  // "cuda" or "cpu"; empty: cuda if there is a GPU
    std::optional<float> alpha, beta;
    recording::Inputs inputs = recording::Inputs::random; // for recording and verification
    WorkerChoice worker;
};

// Declares the option for the command's stage.
CLI::Option& stage_option(OptionList& option, JobOptions& job, const char* about = "a stage, see 'stages'");
void shape_options(OptionList& option, JobOptions& job); // sizes and parameters
void job_options(OptionList& option, JobOptions& job);   // the options above, the backend, the scales and the worker

// Parses a size, see kernels::parse_size, with the scales of the options.
recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation);
using kernels::size_name;

// Parses "X,Y" or "X,Y,Z". Returns nothing for any other text.
std::optional<recording::Index3> parse_block(const std::string& text);

// Stages and libraries by name, in the given order; all stages if no name is given.
struct NamedOnes {
    std::vector<const kernels::Stage*> stages;
    std::vector<const kernels::Baseline*> libraries;
};
NamedOnes named_in(const std::vector<kernels::Stage>& ladder, const std::vector<std::string>& slugs);

// Returns each stage at each typed size, otherwise at the standard sizes of its operation.
using StandardSizes = std::function<std::vector<std::string>(kernels::Operation)>;
std::vector<kernels::Job> jobs_at_sizes(std::span<const kernels::Stage* const> stages, const JobOptions& options,
                                        const StandardSizes& standard);

// If the options name no stages, removes those that the device cannot run at all and reports them on standard error.
// Gives the other stages the parameters that won on this GPU, otherwise those that suit the problem. Parameters that
// the user set take precedence.
void fit_to_device(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device);

// Compiles what the jobs need, at once and ahead of time. `recorded` includes the instrumented forms.
void prepare(const std::vector<kernels::Job>& jobs, CommandWorker& engine, bool recorded = false);

// Returns the job of the one stage that the options name. Its size is the typed one, otherwise the standard size of its
// operation. Throws kernels::Error with the sentence `one_size_only` for more than one job.
kernels::Job one_job(const std::vector<kernels::Stage>& ladder, const JobOptions& options, const char* one_size_only,
                     std::string_view kernels::OperationFacts::*standard);

// The job of one stage at a small size, with parameters that suit the device, and with the worker that runs it.
struct OneJob {
    OneJob(const JobOptions& options, const std::optional<std::string>& backend, const char* one_size_only);

    std::vector<kernels::Stage> ladder;
    kernels::Job job;
    CommandWorker engine;
    const kernels::Stage& stage() const { return *job.stage; }
    std::string size() const { return size_name(job.problem, job.stage->operation); }
};

// Returns the columns of a row that has the members of recording::Totals. Those of atomic operations are there only if
// `all`, the sum of the rows, has any. The cost of atomic operations is null in a row where a part of it is not known.
std::vector<TableColumn> totals_columns(const recording::Totals& all);

// Returns the rest of the totals: a row for each kind of atomic operations, constant loads and bulk copies that occurs.
// Most kernels have none of them.
Table rarer_totals(const recording::Totals& totals);

// Prints the values of an array before and after the launch: in text the first and the last elements, otherwise all. If
// `name` is "all", prints a row for each array instead. Returns the tables as JSON. Throws kernels::Error if the
// recording keeps no values.
nlohmann::json print_values(const recording::Recording& recording, const std::string& name, Output& out);

} // namespace app
