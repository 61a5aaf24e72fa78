// A queue of waiting, running and finished tasks. Each lane runs its tasks one after another, in parallel to the other
// lanes. The worker decides which task may use the device. One thread uses the queue and is never blocked by it.
#pragma once

#include "app/engine/worker.h"

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

using Ticket = uint64_t; // identifies a submitted task; never 0

struct Report {
    Ticket ticket = 0;
    std::variant<Progress, Result, Failure> what; // a Result or Failure ends the task

    // Return null if the report holds something else.
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
    // Runs the task on the lane's thread. Throws what the task throws.
    using Work = std::function<Result(const Task&, Lane, std::stop_token, const std::function<void(const Progress&)>&)>;

    // Calls `wake` on other threads when there is a report to take.
    TaskQueue(Work work, std::function<void()> wake);
    TaskQueue(const TaskQueue&) = delete;
    TaskQueue& operator=(const TaskQueue&) = delete;
    // Stops running tasks and waits for them. Waiting tasks never run, except tasks that save something.
    ~TaskQueue();

    // Appends the task to the lane. It does not start before `due`.
    Ticket submit(Lane lane, Task task, Clock::time_point due = {});

    // Cancels the task. Its end arrives as a report unless it has arrived already. A waiting task ends at once.
    void cancel(Ticket ticket);

    // Returns the reports since the last call, with only the latest progress of each task.
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
        std::jthread thread; // starts with the lane's first task
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
    std::array<Waiting, lane_count> lanes_; // last, because their threads use the members above
};

} // namespace app
