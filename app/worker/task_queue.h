// Tasks that wait, run and have ended. Each lane runs its tasks one after another beside the other lanes; who may use the
// device among them is the worker's to decide. Used from one thread, which never waits here.
#pragma once

#include "app/worker/worker.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <variant>
#include <vector>

namespace app {

using Ticket = uint64_t; // of a task that was submitted; never 0

struct Report {
    Ticket ticket = 0;
    std::variant<Progress, Result, Failure> what; // the last two are the end

    // Null where it is something else.
    const Progress* progress() const { return std::get_if<Progress>(&what); }
    const Failure* failure() const { return std::get_if<Failure>(&what); }
    template <class T>
    const T* result() const
    {
        const Result* result = std::get_if<Result>(&what);
        return result == nullptr ? nullptr : std::get_if<T>(result);
    }
};

class TaskQueue {
public:
    using Clock = std::chrono::steady_clock;
    // Does the task, on the lane's thread; throws as the tasks do.
    using Work = std::function<Result(const Task&, Lane, std::stop_token, const std::function<void(const Progress&)>&)>;

    // `wake` is called, on other threads, when there is a report to take.
    TaskQueue(Work work, std::function<void()> wake);
    TaskQueue(const TaskQueue&) = delete;
    TaskQueue& operator=(const TaskQueue&) = delete;
    // Stops what runs, and waits for it. What waits never runs, but what is to be saved is not lost.
    ~TaskQueue();

    // After what waits in the lane already, and not before `due`.
    Ticket submit(Lane lane, Task task, Clock::time_point due = {});

    // Its end comes as a report, unless it has come already: of one that waits at once.
    void cancel(Ticket ticket);

    // What happened since the last call; of a task's progress only the latest.
    std::vector<Report> take();

private:
    struct Entry {
        Ticket ticket = 0;
        Task task;
        Clock::time_point due;
        std::stop_source stop;
    };
    struct Waiting {
        std::deque<Entry> entries; // oldest first
        std::optional<Entry> running;
        std::jthread thread; // begun with the lane's first task
    };

    void run_lane(Lane lane, std::stop_token stop);
    std::optional<Entry> next(Waiting& lane, std::stop_token stop);
    std::variant<Progress, Result, Failure> carry_out(const Entry& entry, Lane lane);
    void report(Ticket ticket, std::variant<Progress, Result, Failure> what);

    Work work_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    Ticket last_ticket_ = 0;
    std::vector<Report> reports_;
    std::array<Waiting, lane_count> lanes_; // last: their threads use all of the above
};

} // namespace app
