// What does a command's work: the worker that was chosen, once its machine is known.
#pragma once

#include "app/cli/own_stages.h"
#include "app/worker/make_worker.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace app {

template <class T, class Variant>
struct PlaceIn;
template <class T, class... Others>
struct PlaceIn<T, std::variant<T, Others...>> : std::integral_constant<std::size_t, 0> {
};
template <class T, class First, class... Others>
struct PlaceIn<T, std::variant<First, Others...>>
    : std::integral_constant<std::size_t, 1 + PlaceIn<T, std::variant<Others...>>::value> {
};

class Engine {
public:
    // `backend`: "cuda", "cpu" or the best there is; then why it is not a GPU goes to standard error. Throws
    // kernels::Unavailable where there is none.
    Engine(const WorkerChoice& choice, const std::optional<std::string>& backend);

    const MachineFacts& machine() const { return *machine_; }
    const recording::Device& device() const { return *machine_->device; }

    // Throws as the task does. What happened to the worker goes to standard error.
    template <class T>
    auto run(
        const T& task, std::stop_token stop = {},
        const std::function<void(const Progress&)>& progress = [](const Progress&) {})
    {
        return std::get<PlaceIn<T, Task>::value>(run_task(task, std::move(stop), progress));
    }

private:
    Result run_task(const Task& task, std::stop_token stop, const std::function<void(const Progress&)>& progress);

    std::vector<kernels::Stage> ladder_ = ladder_with_own();
    std::mutex mutex_;
    std::condition_variable changed_;
    MachinePtr machine_;
    std::unique_ptr<Worker> worker_; // last: its threads use the others
};

} // namespace app
