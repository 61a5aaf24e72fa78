// Processes that send too few signs of life, with a clock that the test moves.
#include "app/engine/signs_of_life.h"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace std::chrono_literals;
using app::SignsOfLife;

const SignsOfLife::Time begin = SignsOfLife::Time(1h);

// Sends a pulse in which only the first lane has a running task, silent for `first`.
void pulse(SignsOfLife& signs, SignsOfLife::Time now, int32_t first)
{
    std::array<int32_t, app::lane_count> quiet;
    quiet.fill(-1);
    quiet[0] = first;
    signs.hear(now);
    signs.pulse(std::as_bytes(std::span(quiet)), now);
}

TEST(SignsOfLife, BeforeItsFirstWordsOnlyPatienceLimitsIt)
{
    EXPECT_FALSE(SignsOfLife(begin).overdue(begin + 24h)) << "the process may wait in a batch queue";
    const SignsOfLife impatient(begin, 30s);
    EXPECT_FALSE(impatient.overdue(begin + 30s));
    EXPECT_TRUE(impatient.overdue(begin + 31s));
}

TEST(SignsOfLife, WhoSpeaksGreetsSoon)
{
    SignsOfLife signs(begin);
    signs.hear(begin + 2h);
    EXPECT_FALSE(signs.overdue(begin + 2h + 20s));
    EXPECT_TRUE(signs.overdue(begin + 2h + 21s)) << "silent for 21 s";
    for (auto passed = 0s; passed <= 60s; passed += 10s) {
        signs.hear(begin + 2h + passed);
        EXPECT_FALSE(signs.overdue(begin + 2h + passed));
    }
    signs.hear(begin + 2h + 61s);
    EXPECT_TRUE(signs.overdue(begin + 2h + 61s)) << "its output is no greeting of a worker";
    signs.greet(begin + 2h + 61s);
    EXPECT_FALSE(signs.overdue(begin + 2h + 61s));
}

TEST(SignsOfLife, WhoHasGreetedIsNeverSilentAndSaysWhatItRunsOn)
{
    SignsOfLife signs(begin);
    signs.hear(begin);
    signs.greet(begin);
    EXPECT_TRUE(signs.overdue(begin + 21s));
    for (auto passed = 0s; passed <= 300s; passed += 10s) {
        pulse(signs, begin + passed, -1);
        EXPECT_FALSE(signs.overdue(begin + passed));
    }
    pulse(signs, begin + 301s, -1);
    EXPECT_TRUE(signs.overdue(begin + 301s)) << "pulses without a machine do not suffice";
    signs.tell_machine();
    EXPECT_FALSE(signs.overdue(begin + 301s));
}

TEST(SignsOfLife, WhoHasATaskDoesSomething)
{
    SignsOfLife signs(begin);
    EXPECT_FALSE(signs.idle(begin, begin + 24h)) << "no pulse reported an idle process";
    pulse(signs, begin, -1);
    EXPECT_FALSE(signs.quiet(app::Lane::files));
    EXPECT_FALSE(signs.idle(begin, begin + 60s));
    EXPECT_TRUE(signs.idle(begin, begin + 61s));
    EXPECT_FALSE(signs.idle(begin + 30s, begin + 61s)) << "idle time counts from the moment when the task was sent";
    pulse(signs, begin + 30s, 400);
    EXPECT_EQ(signs.quiet(app::Lane::files), 400ms);
    EXPECT_FALSE(signs.idle(begin, begin + 2h)) << "a task is running";
    pulse(signs, begin + 31s, -1);
    EXPECT_FALSE(signs.idle(begin, begin + 91s));
    EXPECT_TRUE(signs.idle(begin, begin + 92s));
    signs.forget_pulse();
    EXPECT_FALSE(signs.has_pulse());
}

TEST(SignsOfLife, ATimeIsNeverNothing)
{
    EXPECT_EQ(app::time_text(400ms), "400 ms");
    EXPECT_EQ(app::time_text(25s), "25 s");
    EXPECT_EQ(app::time_text(3600s), "3,600 s");
}

} // namespace
