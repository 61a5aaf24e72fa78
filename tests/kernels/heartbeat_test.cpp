// Heartbeats are called during long work, but not for longer than the work may take.
#include "processor.h"
#include "tests/waiting.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace std::chrono_literals;

TEST(Heartbeat, BeatsUntilItIsOver)
{
    std::atomic<int> signs = 0;
    {
        const kernels::Heartbeat alive([&] { ++signs; }, 1ms);
        EXPECT_EQ(signs > 0, true) << "the first sign is given at once";
        EXPECT_TRUE(test::happens([&] { return signs >= 5; }));
    }
    const int then = signs;
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(signs, then);
}

// This would hang if the destructor waited for the next beat.
TEST(Heartbeat, EndsWithoutWaitingForItsNextBeat)
{
    const kernels::Heartbeat alive([] {}, 24h);
}

TEST(Heartbeat, StopsWhereSomethingTakesTooLong)
{
    std::atomic<int> signs = 0;
    const kernels::Heartbeat alive([&] { ++signs; }, 1ms, 10ms);
    EXPECT_TRUE(test::happens([&] { return signs == 11; })) << "the first sign and ten more";
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(signs, 11);
}

TEST(Heartbeat, WithoutAFunctionItDoesNothing)
{
    const kernels::Heartbeat alive({});
}

} // namespace
