#include "app/session/recorder.h"

#include "app/catalogue/recordings.h"

#include "recording/file.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace app {

namespace {

using Jobs = std::function<std::vector<kernels::Job>()>;

RecordingPtr read_shipped(const RecordTask& task)
{
    return std::make_shared<const recording::Recording>(read_shipped_recording(task.shipped, *task.job.stage));
}

// Of a stage that runs on no machine like this one: whatever size was asked for.
void take_only_shipped(const RecordTask& task, const std::string& why_not, Outcome& outcome)
{
    if (task.shipped.empty())
        throw kernels::Error(why_not);
    if (task.job.parameters != task.job.stage->standard_parameters())
        throw kernels::Error(why_not + " The recording that is shipped was made with its standard parameters.");
    try {
        outcome.recording = read_shipped(task);
        outcome.shipped = true;
    } catch (const kernels::Error& error) {
        throw kernels::Error(why_not + " " + error.what());
    }
}

// False when there is nothing shipped that is what the task asks for.
bool take_shipped(const RecordTask& task, Outcome& outcome)
{
    try {
        RecordingPtr shipped = read_shipped(task);
        if (!answers(*shipped, task.job))
            return false;
        outcome.recording = std::move(shipped);
        outcome.shipped = true;
        return true;
    } catch (const kernels::Unavailable&) { // not every stage has one
    } catch (const kernels::Error& error) {
        outcome.notice = error.what();
    }
    return false;
}

void carry_out_task(const RecordTask& task, const Jobs& waiting, const FutureMachine& future, std::stop_token stop,
                    Outcome& outcome)
{
    const Machine& machine = future.get();
    if (machine.backend == nullptr)
        throw kernels::Error(machine.error);
    if (const std::string why_not = why_not_on(machine, *task.job.stage); !why_not.empty())
        return take_only_shipped(task, why_not, outcome);
    if (!task.shipped.empty() && !machine.gpu() && !machine.cpu_wanted && take_shipped(task, outcome))
        return;
    const Gate::Pass pass = machine.gate->enter_first();
    if (stop.stop_requested())
        throw kernels::Cancelled();
    std::vector<kernels::Job> jobs = waiting(); // asked only now: the second stage is wanted a moment after the first
    jobs.push_back(task.job);
    constexpr std::array probes = {kernels::ProbeKind::none, kernels::ProbeKind::count, kernels::ProbeKind::record};
    prepare(machine, jobs, probes, stop);
    outcome.recording =
        std::make_shared<const recording::Recording>(machine.backend->record(task.job, task.blocks, stop));
}

void carry_out_task(const ReadTask& task, const Jobs&, const FutureMachine&, std::stop_token, Outcome& outcome)
{
    outcome.recording = std::make_shared<const recording::Recording>(recording::read(task.path));
}

void carry_out_task(const SaveTask& task, const Jobs&, const FutureMachine&, std::stop_token, Outcome&)
{
    recording::write(*task.recording, task.path);
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
        outcomes_.push_back({.slot = slot, .ticket = pending.ticket, .cancelled = true});
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
        std::visit(
            [&](const auto& task) {
                carry_out_task(
                    task, [this] { return waiting_jobs(); }, machine_, pending.stop.get_token(), outcome);
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
