// The output of ClockProbe, see device/clock_state.h.
#include "cuda/slots.h"
#include "tests/says.h"

#include "error.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using recording::Op;
using recording::TimedStep;
using test::says;

constexpr unsigned int what(Op op, unsigned int line)
{
    return static_cast<unsigned int>(op) | line << 8;
}

const ClockStep unwritten{~0u, ~0u, ~0u, ~0u};

// The second warp in the list began first. After the first warp's begin the clock exceeds 32 bits.
TEST(ClockSlots, CountFromTheFirstBegin)
{
    const uint64_t late = (uint64_t{7} << 32) - 10;
    const ClockWarp warps[] = {{late + 4, late + 90, 2000, 2064, 5, 1, 6, 2, 11, 0},
                               {late, late + 50, 1984, 2032, 5, 0, 2, 1, 9, 0}};
    const ClockStep steps[] = {{20, 7, what(Op::global_load, 70), 1},
                               {45, 20, what(Op::barrier, 71), 0},
                               {static_cast<uint32_t>(late) + 6, 3, what(Op::barrier, 71), 0},
                               unwritten};
    const std::vector<recording::TimedWarp> timed = cuda::timed_warps(warps, steps, {2, 2});
    ASSERT_EQ(timed.size(), 2u);
    EXPECT_EQ(timed[0].warp, 0u);
    EXPECT_EQ(timed[0].begin, 0u);
    EXPECT_EQ(timed[0].end, 50u);
    EXPECT_EQ(timed[0].steps, (std::vector<TimedStep>{{Op::barrier, 0, 71, 6, 3}}));
    EXPECT_EQ(timed[1].begin, 4u);
    EXPECT_EQ(timed[1].begin_ns, 16u);
    EXPECT_EQ(timed[1].end_ns, 80u);
    EXPECT_EQ(timed[1].slot, 6u);
    EXPECT_EQ(recording::scheduler_of(timed[1]), 2u);
    EXPECT_EQ(timed[1].after, 11u);
    EXPECT_EQ(timed[1].steps, (std::vector<TimedStep>{{Op::global_load, 1, 70, 30, 7}, {Op::barrier, 0, 71, 55, 20}}));
}

TEST(ClockSlots, RefuseWhatIsNotWhole)
{
    const ClockWarp one[] = {{100, 200, 0, 0, 3, 0, 0, 2, 1, 0}};
    const ClockStep half[] = {{110, 5, what(Op::barrier, 9), 0}, unwritten};
    EXPECT_TRUE(says(test::refusal([&] { cuda::timed_warps(one, half, {1, 2}); }), "Lane 0 of warp 0 of block 3"));
    EXPECT_TRUE(says(test::refusal([&] { cuda::timed_warps(one, std::span(half).first(1), {1, 1}); }), "took 2 steps"));
}

TEST(ClockSlots, SayWhatThereIsRoomFor)
{
    const ClockWarp two[] = {{0, 1, 0, 0, 0, 0, 0, 7, 0, 0}, {0, 1, 0, 0, 0, 1, 1, 9, 0, 0}};
    const cuda::ClockRoom room = cuda::room_needed(2, two, 0);
    EXPECT_EQ(room.warps, 2u);
    EXPECT_EQ(room.steps, 9u);
    EXPECT_TRUE(says(test::refusal([&] { cuda::room_needed(0, {}, 5); }), "SM 5"));
    const ClockWarp long_one[] = {{0, 1, 0, 0, 0, 0, 0, 600'000, 0, 0}};
    EXPECT_TRUE(says(test::refusal([&] { cuda::room_needed(1, long_one, 0); }), "smaller K"));
}

} // namespace
