#include "app/cli/engine.h"

#include "app/tasks/host_code.h"
#include "app/text/tell.h"

#include <algorithm>
#include <utility>

namespace app {

namespace {

void tell_notice(Worker& worker)
{
    if (const std::string notice = worker.take_notice(); !notice.empty())
        tell("gemmscope: {}\n", notice);
}

} // namespace

Engine::Engine(const WorkerChoice& choice, const std::optional<std::string>& backend)
{
    const auto wake = [this] {
        const std::lock_guard lock(mutex_); // between the other thread's look and its wait nothing happens
        changed_.notify_all();
    };
    worker_ = make_worker(ladder_, choice, backend, wake);
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return (machine_ = worker_->machine()) != nullptr; });
    }
    if (!machine_->device)
        throw kernels::Unavailable(machine_->error);
    if (!backend && !machine_->gpu())
        tell("{} Going on with the CPU.\n", machine_->why_no_gpu);
}

Result Engine::run_task(const Task& task, std::stop_token stop, const std::function<void(const Progress&)>& progress)
try {
    // A command that names a stage of the user's folder is the consent to run its host code.
    const auto is_own = [&](const std::filesystem::path&, const std::string& text) {
        return std::ranges::any_of(
            ladder_, [&](const kernels::Stage& stage) { return stage.text != nullptr && *stage.text == text; });
    };
    Result result = worker_->run(with_host_code(task, is_own), Lane::recording, std::move(stop), progress);
    tell_notice(*worker_);
    return result;
} catch (const std::exception&) {
    tell_notice(*worker_);
    throw;
}

} // namespace app
