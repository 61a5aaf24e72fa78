// Tasks that wait, run, end, fail and are cancelled, with work that the test simulates.
#include "app/engine/task_queue.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;
using app::Lane;
using app::Report;
using app::Ticket;

app::PrepareTask numbered(std::size_t number)
{
    return {.jobs = std::vector<app::StageJob>(number)};
}

std::size_t number_of(const app::Task& task)
{
    return std::get<app::PrepareTask>(task).jobs.size();
}

// Task 0 runs until it is stopped, task 1 throws, task 2 reports progress. Each returns its number.
app::Result play(const app::Task& task, std::stop_token stop, const std::function<void(const app::Progress&)>& tell)
{
    const std::size_t number = number_of(task);
    while (number == 0 && !stop.stop_requested())
        std::this_thread::sleep_for(1ms);
    if (stop.stop_requested())
        throw kernels::Cancelled();
    if (number == 1)
        throw kernels::Unavailable("There is none.");
    for (std::size_t i = 0; number == 2 && i < 3; ++i)
        tell({i, 3, "step", {}});
    return app::PrepareResult{number};
}

class TaskQueueTest : public testing::Test {
protected:
    std::atomic<int> begun = 0, woken = 0;
    std::mutex mutex;
    std::vector<std::size_t> order;
    app::TaskQueue queue{[this](const app::Task& task, Lane, std::stop_token stop, const auto& tell) {
                             {
                                 const std::lock_guard lock(mutex);
                                 order.push_back(number_of(task));
                             }
                             ++begun;
                             return play(task, std::move(stop), tell);
                         },
                         [this] { ++woken; }};

    std::vector<Report> seen;
    // Waits for the report that ends the task.
    Report end_of(Ticket ticket)
    {
        Report end;
        EXPECT_TRUE(test::happens([&] {
            for (Report& report : queue.take())
                seen.push_back(std::move(report));
            for (const Report& report : seen)
                if (report.ticket == ticket && !std::holds_alternative<app::Progress>(report.what))
                    end = report;
            return end.ticket == ticket;
        }));
        return end;
    }
    static std::size_t result(const Report& report)
    {
        return std::get<app::PrepareResult>(std::get<app::Result>(report.what)).jobs;
    }
    static app::Failure failure(const Report& report) { return std::get<app::Failure>(report.what); }
};

TEST_F(TaskQueueTest, ALaneRunsItsTasksInTheirOrder)
{
    const Ticket first = queue.submit(Lane::recording, numbered(5)),
                 second = queue.submit(Lane::recording, numbered(6));
    EXPECT_EQ(result(end_of(first)), 5u);
    EXPECT_EQ(result(end_of(second)), 6u);
    EXPECT_EQ(order, (std::vector<std::size_t>{5, 6}));
    EXPECT_GE(woken, 1);
}

TEST_F(TaskQueueTest, LanesDoNotWaitForOneAnother)
{
    const Ticket long_one = queue.submit(Lane::ladder, numbered(0));
    EXPECT_EQ(result(end_of(queue.submit(Lane::recording, numbered(5)))), 5u);
    queue.cancel(long_one);
    EXPECT_EQ(failure(end_of(long_one)).kind, app::Failure::Kind::cancelled);
}

TEST_F(TaskQueueTest, WhatWaitsIsCancelledWithoutBeingRun)
{
    const Ticket running = queue.submit(Lane::search, numbered(0)), waiting = queue.submit(Lane::search, numbered(7));
    while (begun == 0)
        std::this_thread::sleep_for(1ms);
    queue.cancel(waiting);
    EXPECT_EQ(failure(end_of(waiting)).kind, app::Failure::Kind::cancelled);
    queue.cancel(running);
    end_of(running);
    EXPECT_EQ(begun, 1);
    queue.cancel(12345); // an unknown ticket
}

TEST_F(TaskQueueTest, WhatATaskThrowsIsItsEndAndTheNextOneRuns)
{
    const app::Failure why = failure(end_of(queue.submit(Lane::code, numbered(1))));
    EXPECT_EQ(why.kind, app::Failure::Kind::unavailable);
    EXPECT_EQ(why.why, "There is none.");
    EXPECT_EQ(result(end_of(queue.submit(Lane::code, numbered(5)))), 5u);
}

TEST_F(TaskQueueTest, OfATasksProgressTheLatestIsTold)
{
    const Ticket ticket = queue.submit(Lane::search, numbered(2));
    // All reports have arrived, and the last one replaces the others.
    EXPECT_TRUE(test::happens([&] { return woken >= 4; }));
    std::size_t told = 0;
    for (const Report& report : queue.take())
        told += report.ticket == ticket;
    EXPECT_EQ(told, 1u);
}

TEST_F(TaskQueueTest, ATaskIsNotBegunBeforeItIsDue)
{
    const auto begin = app::TaskQueue::Clock::now();
    end_of(queue.submit(Lane::ladder, numbered(5), begin + 60ms));
    EXPECT_GE(app::TaskQueue::Clock::now() - begin, 60ms);
}

TEST_F(TaskQueueTest, ItsEndStopsWhatRunsAndDropsWhatWaits)
{
    std::atomic<int> run = 0;
    {
        app::TaskQueue other([&](const app::Task& task, Lane, std::stop_token stop,
                                 const auto& tell) { return ++run, play(task, std::move(stop), tell); },
                             [] {});
        other.submit(Lane::recording, numbered(0));
        other.submit(Lane::recording, numbered(5));
        other.submit(Lane::ladder, numbered(5), app::TaskQueue::Clock::now() + 1h);
        while (run == 0)
            std::this_thread::sleep_for(1ms);
    }
    EXPECT_EQ(run, 1);
}

} // namespace
