#include "app/session/session_workers.h"

#include <utility>

namespace app {

namespace {

// Returns whether the task runs a user's stage file, which is recorded and timed on the GPU like the ladder's stages.
bool needs_gpu(const Task& task, const Worker& worker)
{
    const auto* run = std::get_if<RunFileTask>(&task);
    const MachinePtr machine = worker.machine();
    return run != nullptr && run->text && kernels::is_stage_file(*run->text) && machine != nullptr && machine->gpu();
}

} // namespace

std::string speeds_key(const WorkerAt& at, const MachineFacts& machine)
{
    return at.command + '\n' + (machine.used_gpu.uuid.empty() ? at.gpu : machine.used_gpu.uuid) + '\n' +
           (machine.device ? machine.device->name : std::string());
}

SessionWorkers::SessionWorkers(const std::vector<kernels::Stage>& ladder, WorkerChoice worker,
                               std::optional<std::string> backend, std::function<void()> wake)
    : ladder_(ladder), choice_(std::move(worker)), backend_(std::move(backend)), wake_(std::move(wake)),
      worker_(make_worker(ladder, choice_, backend_, wake_))
{
}

void SessionWorkers::close()
{
    worker_->close(); // returns without waiting for a running kernel
    const std::lock_guard lock(mutex_);
    if (tracer_ != nullptr)
        tracer_->close();
}

Result SessionWorkers::run(const Task& task, Lane lane, std::stop_token stop,
                           const std::function<void(const Progress&)>& progress)
{
    const std::shared_ptr<Worker> worker = worker_for(task); // held as long as the task runs
    return worker->run(task, is_of_user(task) && !needs_gpu(task, *worker) ? Lane::code : lane, std::move(stop),
                       progress);
}

// Returns the worker for the task. A user's kernel, or the compiler that it is given to, may crash its process. It
// therefore gets a process of its own, on this machine, where its file is.
std::shared_ptr<Worker> SessionWorkers::worker_for(const Task& task)
{
    const std::lock_guard lock(mutex_);
    if (!is_of_user(task) || needs_gpu(task, *worker_))
        return worker_;
    if (tracer_ == nullptr) {
        WorkerChoice choice = choice_;
        choice.command.clear();
        choice.gpu.clear();
        choice.in_process = choice.in_process && !choice.users_apart;
        tracer_ = make_worker(ladder_, choice, "cpu", wake_);
    }
    return tracer_;
}

void SessionWorkers::use(const WorkerAt& at)
{
    std::shared_ptr<Worker> other;
    {
        const std::lock_guard lock(mutex_);
        choice_.command = at.command;
        choice_.gpu = at.gpu;
        choice_.in_process = false;
        other = make_worker(ladder_, choice_, backend_, wake_);
        worker_.swap(other);
    }
    other->close();
    retire(std::move(other));
}

void SessionWorkers::retire(std::shared_ptr<void> old)
{
    retiring_.emplace_back([old = std::move(old)]() mutable { old.reset(); });
}

std::string SessionWorkers::take_notice()
{
    std::string notice = worker_->take_notice();
    const std::lock_guard lock(mutex_);
    if (notice.empty() && tracer_ != nullptr)
        notice = tracer_->take_notice();
    return notice;
}

} // namespace app
