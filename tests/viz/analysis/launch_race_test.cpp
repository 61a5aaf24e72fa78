#include "viz/analysis/placement.h"

#include "tests/placed_launch.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

LaunchRunner runner(const std::vector<uint64_t>& ends)
{
    PlacementPicture picture;
    for (const uint64_t end : ends)
        picture.blocks.push_back({.end_ns = end});
    return LaunchRunner(picture);
}

TEST(LaunchRace, TellsHowMuchIsDoneAndSinceWhen)
{
    const LaunchRunner one = runner({400, 100, 200, 300});
    EXPECT_EQ(one.finish(), 400);
    EXPECT_EQ(one.done(99), 0);
    EXPECT_EQ(one.done(100), 0.25);
    EXPECT_EQ(one.done(1000), 1);
    EXPECT_EQ(LaunchRunner().done(5), 0);
}

TEST(LaunchRace, FinishesInTheRatioOfTheRecordedTimes)
{
    const auto quick =
        placement_of(test::placed_launch("vectorized", 1024, {.duration = [](uint32_t) -> uint64_t { return 20000; }}));
    const auto slow =
        placement_of(test::placed_launch("naive", 1024, {.duration = [](uint32_t) -> uint64_t { return 20000; }}));
    const LaunchRunner first(*quick), second(*slow);
    EXPECT_EQ(second.finish() / first.finish(),
              static_cast<double>(slow->span_ns) / static_cast<double>(quick->span_ns));
    EXPECT_EQ(first.done(first.finish()), 1);
    EXPECT_LT(second.done(first.finish()), 1);
}

TEST(LaunchRace, LaunchesOfOtherSizesAreNone)
{
    EXPECT_TRUE(may_race(test::placed_launch("vectorized", 256), test::placed_launch("naive", 256)));
    EXPECT_FALSE(may_race(test::placed_launch("vectorized", 256), test::placed_launch("naive", 512)));
}

} // namespace
