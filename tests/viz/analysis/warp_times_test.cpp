// What warps do between two steps, and the times of their schedulers. Computed by hand.
#include "viz/analysis/warp_times.h"

#include <gtest/gtest.h>

#include <tuple>

namespace {

using namespace viz;
using recording::Op;
using recording::TimedStep;
using recording::TimedWarp;
using recording::WarpTimes;

using Parts = std::vector<std::tuple<uint64_t, uint64_t, WarpDoing, std::size_t>>;
constexpr WarpDoing running = WarpDoing::running, memory = WarpDoing::memory, barrier = WarpDoing::barrier,
                    probe = WarpDoing::probe;

Parts parts(const WarpLane& lane)
{
    Parts result;
    for (const WarpInterval& one : lane.intervals)
        result.emplace_back(one.from, one.until, one.doing, one.step);
    return result;
}

WarpTimes times_of(std::vector<TimedWarp> warps)
{
    WarpTimes times;
    times.stage = "naive";
    times.warps = std::move(warps);
    return times;
}

SmOverTime picture_of(const WarpTimes& times)
{
    const WarpTimes* const one = &times;
    return sm_over_time(times, least_of_ops(std::span(&one, 1)));
}

// Begins at 0, where the probe ends at 2. Loads at 10 (probe until 14) and, after 6 cycles of its own, at 20 (probe
// until 25). After 400 cycles of its own, stores at 425 (probe until 430). Ends at 440.
TimedWarp loading(uint64_t from = 0, uint32_t slot = 0)
{
    return {.slot = slot,
            .begin = from,
            .end = from + 440,
            .after = 10,
            .steps = {{Op::global_load, 0, 5, from + 10, 8},
                      {Op::global_load, 1, 5, from + 20, 6},
                      {Op::global_store, 2, 7, from + 425, 400}}};
}

TEST(WarpTimes, AfterALoadWhatIsBeyondTheLeastIsWaiting)
{
    const WarpTimes times = times_of({loading()});
    const SmOverTime picture = picture_of(times);
    const Parts expected = {{0, 2, probe, 0},     {2, 10, running, 0},  {10, 14, probe, 0},
                            {14, 20, running, 0}, {20, 25, probe, 1},   {25, 31, running, 1},
                            {31, 425, memory, 1}, {425, 430, probe, 2}, {430, 440, running, 2}};
    EXPECT_EQ(parts(picture.lanes[0]), expected) << "the minimum is 6 after a load and 10 after a store";
    EXPECT_EQ(picture.span, 440u);
}

// Loads from global memory, and stores the values to shared memory. The first of these stores waits, and the next one
// does not.
TEST(WarpTimes, TheFirstUseOfALoadWaits)
{
    const WarpTimes times = times_of({{.end = 345,
                                       .after = 20,
                                       .steps = {{Op::global_load, 0, 1, 0, 0},
                                                 {Op::shared_load, 3, 2, 10, 10}, // does not use the loaded value
                                                 {Op::shared_store, 3, 3, 15, 5},
                                                 {Op::shared_store, 3, 4, 315, 300},
                                                 {Op::shared_load, 3, 5, 325, 10}}}});
    const Parts expected = {{0, 10, running, 0},    {10, 15, running, 1},   {15, 305, memory, 2},
                            {305, 315, running, 2}, {315, 325, running, 3}, {325, 345, running, 4}};
    EXPECT_EQ(parts(picture_of(times).lanes[0]), expected);
}

TEST(WarpTimes, AWaitForCopiesIsWaitingForMemory)
{
    const WarpTimes times = times_of(
        {{.end = 600,
          .after = 30,
          .steps = {
              {Op::async_wait, 0, 1, 0, 0}, {Op::shared_load, 3, 2, 530, 530}, {Op::async_wait, 0, 1, 570, 40}}}});
    const Parts expected = {
        {0, 500, memory, 0}, {500, 530, running, 0}, {530, 570, running, 1}, {570, 600, running, 2}};
    EXPECT_EQ(parts(picture_of(times).lanes[0]), expected) << "the second one had nothing to wait for";
}

// Two warps of one block, and one of another. The barrier of a block is complete when the last of its own warps
// arrives.
TEST(WarpTimes, ABarrierLastsUntilTheLastWarpOfItsBlockHasCome)
{
    const auto warp = [](uint32_t block, uint32_t number, uint64_t came) {
        return TimedWarp{.block = block,
                         .warp = number,
                         .slot = 4 * (2 * block + number),
                         .end = 300,
                         .after = static_cast<uint32_t>(300 - came - 5),
                         .steps = {{Op::barrier, 0, 9, came, static_cast<uint32_t>(came)}}};
    };
    const WarpTimes times = times_of({warp(0, 0, 50), warp(0, 1, 200), warp(1, 0, 250)});
    const SmOverTime picture = picture_of(times);
    EXPECT_EQ(parts(picture.lanes[0]),
              (Parts{{0, 50, running, 0}, {50, 55, probe, 0}, {55, 205, barrier, 0}, {205, 300, running, 0}}));
    EXPECT_EQ(parts(picture.lanes[1]), (Parts{{0, 200, running, 0}, {200, 205, probe, 0}, {205, 300, running, 0}}));
    EXPECT_EQ(parts(picture.lanes[2]), (Parts{{0, 250, running, 0}, {250, 255, probe, 0}, {255, 300, running, 0}}));
    EXPECT_EQ(picture.blocks, 2u);
}

// With one warp, the scheduler waits as long as that warp. A second warp begins 100 cycles later and hides 16 of these
// cycles.
TEST(WarpTimes, ASchedulerWaitsWhereAllOfItsWarpsDo)
{
    const WarpTimes alone = times_of({loading()});
    const SchedulerTime one = picture_of(alone).schedulers[0];
    EXPECT_EQ(one.running, 8u + 6 + 6 + 10);
    EXPECT_EQ(one.probe, 2u + 4 + 5 + 5);
    EXPECT_EQ(one.memory, 394u);
    EXPECT_EQ(one.barrier + one.empty, 0u);
    EXPECT_EQ(one.stalls, (std::vector<WarpInterval>{{31, 425, memory, 0}}));
    EXPECT_DOUBLE_EQ(picture_of(alone).running_share(), 30.0 / 440);
    EXPECT_DOUBLE_EQ(picture_of(alone).stalled_share(), 394.0 / 440);

    const WarpTimes both = times_of({loading(), loading(100, 4)}); // slot 4 also belongs to scheduler 0
    const SmOverTime picture = picture_of(both);
    const SchedulerTime two = picture.schedulers[0];
    EXPECT_EQ(two.span(), 540u);
    EXPECT_EQ(two.running, 30u + 30) << "the two warps never run at the same time";
    EXPECT_EQ(two.memory, (100u - 31) + (425 - 131) + (525 - 440));
    EXPECT_EQ(two.probe, 540u - two.running - two.memory);
    EXPECT_EQ(two.stalls,
              (std::vector<WarpInterval>{{31, 100, memory, 0}, {131, 425, memory, 0}, {440, 525, memory, 0}}));
    EXPECT_EQ(picture.most_at_once, 2u);
    ASSERT_EQ(picture.rows[0].size(), 2u);
    EXPECT_EQ(picture.rows[0][1].slot, 4u);
    EXPECT_EQ(picture.row_count(), 2u);
}

TEST(WarpTimes, ASchedulerWithoutWarpsIsEmptyAndCountsInNoShare)
{
    TimedWarp later = loading(460); // gets the slot after the first warp
    const WarpTimes times = times_of({loading(), later});
    const SmOverTime picture = picture_of(times);
    EXPECT_EQ(picture.schedulers[0].empty, 20u);
    EXPECT_EQ(picture.schedulers[1].empty, 900u);
    EXPECT_DOUBLE_EQ(picture.running_share(), 60.0 / 880);
    ASSERT_EQ(picture.rows[0].size(), 1u);
    EXPECT_EQ(picture.rows[0][0].lanes, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(picture.most_at_once, 1u);
}

TEST(WarpTimes, TheLeastIsOfAllLaunches)
{
    const WarpTimes few = times_of({loading()});
    WarpTimes many = few;
    many.warps[0].steps[1].since = 4;
    const WarpTimes* const both[] = {&few, &many};
    const LeastOfOps least = least_of_ops(both);
    EXPECT_EQ(least[static_cast<std::size_t>(Op::global_load)], 4u);
    EXPECT_EQ(least[static_cast<std::size_t>(Op::global_store)], 10u);
    EXPECT_EQ(least[static_cast<std::size_t>(Op::barrier)], 0u) << "there is none";
}

TEST(WarpTimes, WhatIsUnderACycle)
{
    const WarpTimes times = times_of({loading(100)});
    const SmOverTime picture = picture_of(times);
    const WarpLane& lane = picture.lanes[0];
    EXPECT_EQ(interval_at(lane, 99), nullptr);
    EXPECT_EQ(interval_at(lane, 100)->doing, probe);
    EXPECT_EQ(interval_at(lane, 524)->doing, memory);
    EXPECT_EQ(interval_at(lane, 525)->doing, probe);
    EXPECT_EQ(interval_at(lane, 540), nullptr);
}

TEST(WarpTimes, FewAndManyAreOfOneLaunch)
{
    WatchedStages watched;
    const auto add = [&](const char* stage, uint32_t blocks, uint32_t K) {
        WarpTimes times;
        times.stage = stage;
        times.problem.K = K;
        times.warps_per_block = 8;
        times.probed.blocks_per_sm = blocks;
        watched.rows.push_back(times);
    };
    add("vectorized", 2, 64);
    add("naive", 8, 64);
    add("vectorized", 1, 64);
    add("vectorized", 4, 128); // another size
    const auto found = few_and_many(watched, "vectorized");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->few, &watched.rows[2]);
    EXPECT_EQ(found->many, &watched.rows[0]);
    EXPECT_EQ(found->many->resident_warps(), 16u);
    const auto alone = few_and_many(watched, "naive");
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->few, nullptr);
    EXPECT_EQ(few_and_many(watched, "swizzled"), std::nullopt);
}

} // namespace
