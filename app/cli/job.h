// What commands have in common that run stages: their options, and the jobs that follow from them.
#pragma once

#include "app/cli/command.h"
#include "app/cli/command_worker.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <functional>
#include <span>

namespace app {

// As the user typed it.
struct JobOptions {
    std::vector<std::string> stages;     // slugs; empty: all
    std::vector<std::string> sizes;      // "128" or "128x64x32"; empty: the command's own
    std::vector<std::string> parameters; // "BM=64"
    std::optional<std::string> backend;  // "cuda" or "cpu"; none: cuda where there is a GPU
    std::optional<float> alpha, beta;
    recording::Inputs inputs = recording::Inputs::random; // of a recording or a verification
    WorkerChoice worker;
};

// The one that the command is about.
CLI::Option& stage_option(OptionList& option, JobOptions& job, const char* about = "a stage, see 'stages'");
void shape_options(OptionList& option, JobOptions& job); // sizes and parameters
void job_options(OptionList& option, JobOptions& job);   // those, the backend, the scales, the worker and the form

// See kernels::parse_size; with the scales of the options.
recording::Problem parse_size(const std::string& text, const JobOptions& options, kernels::Operation operation);
using kernels::size_name;

// "X,Y" or "X,Y,Z"; nothing: it is something else.
std::optional<recording::Index3> parse_block(const std::string& text);

// Stages and libraries by their names, in the order given; all stages when none is given.
struct NamedOnes {
    std::vector<const kernels::Stage*> stages;
    std::vector<const kernels::Baseline*> libraries;
};
NamedOnes named_in(const std::vector<kernels::Stage>& ladder, const std::vector<std::string>& slugs);

// Each stage at each size that was typed, or else at these of its operation.
using StandardSizes = std::function<std::vector<std::string>(kernels::Operation)>;
std::vector<kernels::Job> jobs_at_sizes(std::span<const kernels::Stage* const> stages, const JobOptions& options,
                                        const StandardSizes& standard);

// Takes out what the device cannot run at all, when the options name no stages, and says so on standard error; gives the rest the
// parameters that won on this GPU, or else suit the problem there, under those that the user set.
void fit_to_device(std::vector<kernels::Job>& jobs, const JobOptions& options, const recording::Device& device);

// Compiles what they need, at once and ahead of them; `recorded`: the instrumented forms too.
void prepare(const std::vector<kernels::Job>& jobs, CommandWorker& engine, bool recorded = false);

// The one stage that the options name, at one size: of its operation where none was typed. More than one is refused with this
// sentence.
kernels::Job one_job(const std::vector<kernels::Stage>& ladder, const JobOptions& options, const char* one_size_only,
                     std::string_view kernels::OperationFacts::*standard);

// The same at a small size, with the parameters that suit the device, and with what runs it.
struct OneJob {
    OneJob(const JobOptions& options, const std::optional<std::string>& backend, const char* one_size_only);

    std::vector<kernels::Stage> ladder;
    kernels::Job job;
    CommandWorker engine;
    const kernels::Stage& stage() const { return *job.stage; }
    std::string size() const { return size_name(job.problem, job.stage->operation); }
};

// The columns of a row that has the members of recording::Totals.
std::vector<TableColumn> totals_columns();

// TYPE by its name, a number as a number.
nlohmann::json parameter_json(std::string_view name, int value);

} // namespace app
