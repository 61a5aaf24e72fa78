// What does a command's work: the worker that was chosen, once its machine is known; and Ctrl-C as a request to stop.
#pragma once

#include "app/worker/make_worker.h"

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

// The ladder with the user's own stages behind it; what cannot be used is told on standard error.
std::vector<kernels::Stage> ladder_with_own();

// The first Ctrl-C is taken up, the second ends the program as usual. To be made before other threads are: they inherit that the
// signal is not theirs.
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

// The index of a type among the alternatives of a variant.
template <class T, class... Others>
constexpr std::size_t index_in(const std::variant<Others...>*)
{
    constexpr bool same[] = {std::same_as<T, Others>...};
    return static_cast<std::size_t>(std::ranges::find(same, true) - same);
}

class CommandWorker {
public:
    using ShowProgress = std::function<void(const Progress&)>;

    // `backend`: "cuda", "cpu" or the best there is; then why it is not a GPU goes to standard error. `stop` ends its tasks, where
    // Ctrl-C shall not end the program. Throws kernels::Unavailable where there is no such backend.
    CommandWorker(const WorkerChoice& choice, const std::optional<std::string>& backend, std::stop_token stop = {});

    const MachineFacts& machine() const { return *machine_; }
    const recording::Device& device() const { return *machine_->device; }
    const std::vector<kernels::Stage>& ladder() const { return ladder_; }

    // Throws as the task does. What happened to the worker goes to standard error. `show` tells how far it is by tell_progress(),
    // and that line is wiped out at the end.
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
    std::unique_ptr<Worker> worker_; // last: its threads use the others
};

} // namespace app
