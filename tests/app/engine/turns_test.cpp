#include "app/engine/device_scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>
#include <thread>

namespace {

using app::DeviceScheduler;
using app::Lane;
using namespace std::chrono_literals;

// Works like a call into a backend until a stop is requested.
void work_until_stopped(const std::stop_token& stop)
{
    while (!stop.stop_requested())
        std::this_thread::sleep_for(1ms);
    throw kernels::Cancelled();
}

TEST(DeviceScheduler, CountersInterruptTheLadderWhichThenGoesOn)
{
    DeviceScheduler turns;
    std::binary_semaphore inside(0);
    std::atomic<int> tries = 0;
    std::atomic<bool> counted = false;
    const std::stop_source never;
    bool ladder = false, before_ladder_went_on = false;
    std::thread thread([&] {
        ladder = turns.in_turn(Lane::ladder, never.get_token(), [&](const std::stop_token& stop) {
            if (++tries > 1) {
                before_ladder_went_on = counted;
                return;
            }
            inside.release();
            work_until_stopped(stop);
        });
    });
    inside.acquire();
    EXPECT_TRUE(turns.in_turn(Lane::counters, never.get_token(), [&](const std::stop_token&) { counted = true; }));
    thread.join();
    EXPECT_TRUE(ladder);
    EXPECT_EQ(tries, 2);
    EXPECT_TRUE(before_ladder_went_on);
}

// The ladder is measured stage by stage. A waiting search must get its turn between two stages.
TEST(DeviceScheduler, WhoLeavesDoesNotOvertakeALaterRankThatWaits)
{
    DeviceScheduler turns;
    std::binary_semaphore inside(0);
    std::atomic<bool> searched = false;
    std::atomic<int> calls = 0, overtaking = 0;
    std::stop_source end;
    std::thread thread([&] {
        for (bool more = true; more;)
            more = turns.in_turn(Lane::ladder, end.get_token(), [&](const std::stop_token& stop) {
                if (++calls > 1) {
                    overtaking += searched ? 0 : 1;
                    return;
                }
                inside.release();
                while (!stop.stop_requested()) // until the search waits; the call then returns without an error
                    std::this_thread::sleep_for(1ms);
            });
    });
    inside.acquire();
    EXPECT_TRUE(turns.in_turn(Lane::search, end.get_token(), [&](const std::stop_token&) { searched = true; }));
    end.request_stop();
    thread.join();
    EXPECT_EQ(overtaking, 0);
}

TEST(DeviceScheduler, AClaimKeepsTheLadderOutBetweenTwoSteps)
{
    DeviceScheduler turns;
    std::atomic<int> measured = 0;
    const std::stop_source end;
    std::jthread ladder;
    {
        const DeviceScheduler::Claim claim(turns, Lane::search);
        ladder = std::jthread(
            [&] { turns.in_turn(Lane::ladder, end.get_token(), [&](const std::stop_token&) { ++measured; }); });
        for (int step = 0; step < 5; ++step) {
            EXPECT_TRUE(turns.in_turn(Lane::search, end.get_token(), [](const std::stop_token&) {}));
            std::this_thread::sleep_for(2ms);
        }
        EXPECT_TRUE(turns.in_turn(Lane::counters, end.get_token(), [](const std::stop_token&) {}));
        EXPECT_EQ(measured, 0);
    }
    ladder.join();
    EXPECT_EQ(measured, 1);
}

TEST(DeviceScheduler, AnEarlierRankInterruptsNobody)
{
    DeviceScheduler turns;
    const std::stop_source own, early;
    const auto pass = turns.enter(Lane::counters, own, {});
    std::jthread thread([&] { turns.in_turn(Lane::search, early.get_token(), [](const std::stop_token&) {}); });
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(own.stop_requested());
    std::stop_source(early).request_stop();
}

TEST(DeviceScheduler, ARecordingInterruptsACountAndIsNotInterrupted)
{
    DeviceScheduler turns;
    std::stop_source own;
    std::optional<DeviceScheduler::Pass> count = turns.enter(Lane::counters, own, {});
    std::binary_semaphore recording(0);
    std::thread thread([&] {
        const auto pass = turns.enter(Lane::recording, std::stop_source(std::nostopstate), {});
        recording.release();
    });
    while (!own.stop_requested())
        std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(recording.try_acquire()); // it must wait until the counting ends
    count.reset();
    thread.join();
    EXPECT_TRUE(recording.try_acquire());
}

TEST(DeviceScheduler, WhoIsAskedToStopWhileWaitingHoldsNobodyUp)
{
    DeviceScheduler turns;
    std::optional<DeviceScheduler::Pass> inside = turns.enter(Lane::recording, std::stop_source(std::nostopstate), {});
    std::stop_source given_up, never;
    bool entered = true, ladder = false;
    std::thread count([&] { entered = turns.in_turn(Lane::counters, given_up.get_token(), [](const auto&) {}); });
    std::thread measure([&] { ladder = turns.in_turn(Lane::ladder, never.get_token(), [](const auto&) {}); });
    std::this_thread::sleep_for(10ms);
    given_up.request_stop();
    count.join();
    EXPECT_FALSE(entered);
    inside.reset();
    measure.join();
    EXPECT_TRUE(ladder);
}

} // namespace
