#include "app/engine/task_queue.h"

#include <utility>

namespace app {

TaskQueue::TaskQueue(Work work, std::function<void()> wake) : work_(std::move(work)), wake_(std::move(wake)) {}

TaskQueue::~TaskQueue()
{
    {
        const std::lock_guard lock(mutex_);
        for (Waiting& lane : lanes_)
            std::erase_if(lane.entries,
                          [](const Entry& entry) { return !std::holds_alternative<SaveTask>(entry.task); });
    }
    for (Waiting& lane : lanes_) {
        lane.thread.request_stop();
        const std::lock_guard lock(mutex_);
        if (lane.running)
            lane.running->stop.request_stop();
    }
}

Ticket TaskQueue::submit(Lane lane, Task task, Clock::time_point due)
{
    Waiting& own = lanes_[static_cast<std::size_t>(lane)];
    Ticket ticket = 0;
    {
        const std::lock_guard lock(mutex_);
        ticket = ++last_ticket_;
        own.entries.push_back({ticket, std::move(task), due, {}});
    }
    changed_.notify_all();
    if (!own.thread.joinable())
        own.thread = std::jthread([this, lane](std::stop_token stop) { run_lane(lane, std::move(stop)); });
    return ticket;
}

void TaskQueue::cancel(Ticket ticket)
{
    const std::lock_guard lock(mutex_);
    for (Waiting& lane : lanes_) {
        if (lane.running && lane.running->ticket == ticket)
            lane.running->stop.request_stop();
        if (std::erase_if(lane.entries, [&](const Entry& entry) { return entry.ticket == ticket; }) > 0)
            reports_.push_back({ticket, failure_of(kernels::Cancelled())});
    }
}

std::vector<Report> TaskQueue::take()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(reports_, {});
}

void TaskQueue::run_lane(Lane lane, std::stop_token stop)
{
    Waiting& own = lanes_[static_cast<std::size_t>(lane)];
    while (const std::optional<Entry> entry = next(own, stop)) {
        auto end = carry_out(*entry, lane);
        {
            const std::lock_guard lock(mutex_);
            own.running.reset();
        }
        report(entry->ticket, std::move(end));
    }
}

std::optional<TaskQueue::Entry> TaskQueue::next(Waiting& lane, std::stop_token stop)
{
    std::unique_lock lock(mutex_);
    while (true) {
        if (lane.entries.empty()) {
            if (!changed_.wait(lock, stop, [&] { return !lane.entries.empty(); }))
                return std::nullopt;
        } else if (lane.entries.front().due > Clock::now()) {
            const Ticket first = lane.entries.front().ticket;
            changed_.wait_until(lock, stop, lane.entries.front().due,
                                [&] { return lane.entries.empty() || lane.entries.front().ticket != first; });
        } else {
            lane.running = std::move(lane.entries.front());
            lane.entries.pop_front();
            return lane.running;
        }
    }
}

std::variant<Progress, Result, Failure> TaskQueue::carry_out(const Entry& entry, Lane lane)
{
    try {
        return work_(entry.task, lane, entry.stop.get_token(),
                     [&](const Progress& progress) { report(entry.ticket, progress); });
    } catch (const std::exception& thrown) {
        return failure_of(thrown);
    }
}

void TaskQueue::report(Ticket ticket, std::variant<Progress, Result, Failure> what)
{
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(reports_, [&](const Report& one) {
            return one.ticket == ticket && std::holds_alternative<Progress>(one.what);
        });
        reports_.push_back({ticket, std::move(what)});
    }
    wake_();
}

} // namespace app
