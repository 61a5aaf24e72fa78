// Runs a command's tasks on the chosen worker once its machine is known, and handles Ctrl-C as a request to stop.
#pragma once

#include "app/engine/worker.h"

#include "stage.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace app {

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

} // namespace app
