#include "app/recorder.h"

#include "recording/file.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace app {

namespace {

using Jobs = std::function<std::vector<kernels::Job>()>;

RecordingPtr carry_out_task(const RecordTask& task, const Jobs& waiting, const FutureMachine& future,
                            std::stop_token stop)
{
    const Machine& machine = future.get();
    if (machine.backend == nullptr)
        throw kernels::Error(machine.error);
    const Gate::Pass pass = machine.gate->enter_first();
    if (stop.stop_requested())
        throw kernels::Cancelled();
    std::vector<kernels::Job> jobs = waiting(); // asked only now: the second stage is wanted a moment after the first
    jobs.push_back(task.job);
    constexpr std::array probes = {kernels::ProbeKind::none, kernels::ProbeKind::count, kernels::ProbeKind::record};
    prepare(machine, jobs, probes, stop);
    return std::make_shared<const recording::Recording>(machine.backend->record(task.job, task.blocks, stop));
}

RecordingPtr carry_out_task(const ReadTask& task, const Jobs&, const FutureMachine&, std::stop_token)
{
    return std::make_shared<const recording::Recording>(recording::read(task.path));
}

RecordingPtr carry_out_task(const SaveTask& task, const Jobs&, const FutureMachine&, std::stop_token)
{
    recording::write(*task.recording, task.path);
    return nullptr;
}

} // namespace

Recorder::Recorder(FutureMachine machine, std::function<void()> wake)
    : machine_(std::move(machine)), wake_(std::move(wake)), thread_([this](std::stop_token stop) { work(stop); })
{
}

Recorder::~Recorder()
{
    thread_.request_stop();
    const std::lock_guard lock(mutex_);
    if (running_)
        running_->stop.request_stop();
}

uint64_t Recorder::submit(Slot slot, Task task)
{
    uint64_t ticket = 0;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(waiting_, [slot](const Pending& pending) { return pending.slot == slot; });
        if (running_ && running_->slot == slot)
            running_->stop.request_stop();
        ticket = ++last_ticket_;
        waiting_.push_back({slot, ticket, std::move(task), {}});
    }
    changed_.notify_one();
    return ticket;
}

void Recorder::cancel(Slot slot)
{
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](const Pending& pending) {
        if (pending.slot != slot)
            return false;
        outcomes_.push_back({slot, pending.ticket, nullptr, "", true});
        return true;
    });
    if (running_ && running_->slot == slot)
        running_->stop.request_stop();
}

std::vector<Outcome> Recorder::take()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(outcomes_, {});
}

void Recorder::work(std::stop_token stop)
{
    while (const std::optional<Pending> pending = next(stop)) {
        Outcome outcome = carry_out(*pending);
        {
            const std::lock_guard lock(mutex_);
            running_.reset();
            outcomes_.push_back(std::move(outcome));
        }
        wake_();
    }
}

std::optional<Recorder::Pending> Recorder::next(std::stop_token stop)
{
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); }) || stop.stop_requested())
        return std::nullopt;
    running_ = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return running_;
}

// Of the recordings that wait.
std::vector<kernels::Job> Recorder::waiting_jobs()
{
    const std::lock_guard lock(mutex_);
    std::vector<kernels::Job> jobs;
    for (const Pending& pending : waiting_)
        if (const RecordTask* task = std::get_if<RecordTask>(&pending.task))
            jobs.push_back(task->job);
    return jobs;
}

Outcome Recorder::carry_out(const Pending& pending)
{
    Outcome outcome{.slot = pending.slot, .ticket = pending.ticket};
    try {
        outcome.recording = std::visit(
            [&](const auto& task) {
                return carry_out_task(
                    task, [this] { return waiting_jobs(); }, machine_, pending.stop.get_token());
            },
            pending.task);
    } catch (const kernels::Cancelled&) {
        outcome.cancelled = true;
    } catch (const std::exception& error) {
        outcome.error = error.what();
    }
    return outcome;
}

} // namespace app
