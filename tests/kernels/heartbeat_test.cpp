// Signs of life come while something takes long, and not for longer than it may take.
#include "heartbeat.h"

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
        EXPECT_EQ(signs > 0, true) << "the first one at once";
        while (signs < 5)
            std::this_thread::sleep_for(1ms);
    }
    const int then = signs;
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(signs, then);
}

TEST(Heartbeat, EndsWithoutWaitingForItsNextBeat)
{
    const auto begin = std::chrono::steady_clock::now();
    {
        const kernels::Heartbeat alive([] {}, 1h);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(Heartbeat, StopsWhereSomethingTakesTooLong)
{
    std::atomic<int> signs = 0;
    const kernels::Heartbeat alive([&] { ++signs; }, 10ms, 100ms);
    std::this_thread::sleep_for(500ms);
    const int then = signs;
    EXPECT_GT(then, 1);
    EXPECT_LE(then, 11);
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(signs, then);
}

TEST(Heartbeat, WithoutAFunctionItDoesNothing)
{
    const kernels::Heartbeat alive({});
}

} // namespace
