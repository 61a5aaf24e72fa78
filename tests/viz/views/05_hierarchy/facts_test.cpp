// Texts about a position in the plan of a launch.
#include "viz/views/05_hierarchy/facts.h"

#include "tests/kernels/recording/sample_recording.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "tests/viz/analysis/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace {

viz::StageColumn column_of(recording::Recording recording)
{
    viz::StageColumn column;
    column.recording = std::make_shared<const recording::Recording>(std::move(recording));
    return column;
}

// The ids of a block that was not recorded in full are computed. The accesses of its threads are not known.
TEST(HierarchyFacts, SaysWhichBlocksWereNotRecorded)
{
    const viz::StageColumn column = column_of(sample::recording());
    viz::LaunchPlace place;
    const viz::LaunchSide side(column, place);
    for (uint64_t block = 0; block < 6; ++block) {
        const viz::Rich said = viz::point_words(side, block, 5);
        const bool aside = std::ranges::count(said, viz::Style::faint, &viz::Run::style) > 0;
        EXPECT_EQ(aside, block != 0 && block != 5) << block;
    }
}

// The formula with ids is shown only if the kernel computes its element of C with it. vector_add does, and naive does
// with x downwards. In coalesced, a block is a square of C, which the ids do not show.
TEST(HierarchyFacts, AFormulaIsTheKernelsOwn)
{
    const auto element = [](const char* slug, const recording::Problem& problem, viz::ThreadRef thread) {
        const viz::StageColumn column = column_of(test::record(slug, problem));
        viz::LaunchPlace place{.camera = {}, .selected = thread};
        return viz::path_steps(viz::LaunchSide(column, place))[4].words;
    };
    EXPECT_EQ(element("vector_add", {.N = 1000}, {1, 5}), "C(1·128+5) = C(133)");
    EXPECT_EQ(element("naive", {64, 64, 8}, {1, 33}), "C(1·32+1, 0·32+1) = C(33,1)");
    EXPECT_EQ(element("coalesced", {64, 64, 8}, {0, 33}), "C(1,1)");
}

// Threads beyond the end of a vector have no element. The formula explains this if the kernel uses it.
TEST(HierarchyFacts, SaysWhyAThreadIsSurplus)
{
    const viz::StageColumn column = column_of(test::record("vector_add", {.N = 1000}));
    viz::LaunchPlace place{.camera = {}, .selected = {7, 127}};
    const viz::LaunchSide side(column, place);
    EXPECT_TRUE(side.written.empty());
    EXPECT_TRUE(side.is_surplus(place.selected));
    EXPECT_TRUE(test::says(viz::plain(viz::path_words(side)), "7\u00a0x\u00a0128\u00a0+\u00a0127\u00a0=\u00a01023"));
    EXPECT_TRUE(test::says(viz::plain(viz::lane_words(side, 31)), "thread 127"));
}

// The warp that copies for others stores no element of C, but is not surplus.
TEST(HierarchyFacts, AThreadThatWorksForOthersIsNotSurplus)
{
    recording::Recording recording = sample::recording();
    std::ranges::fill(recording.owner, recording::no_owner);
    const viz::StageColumn idle = column_of(recording);
    recording.arrays.resize(3);
    recording.arrays.push_back({.name = "partial sums", .space = recording::Space::global});
    const viz::StageColumn works = column_of(recording);
    viz::LaunchPlace place;
    EXPECT_EQ(viz::path_steps(viz::LaunchSide(idle, place))[4].words, "surplus");
    EXPECT_NE(viz::path_steps(viz::LaunchSide(works, place))[4].words, "surplus");
}

// In a block of 40 threads, the second warp has 8.
TEST(HierarchyFacts, LanesBehindTheBlockHaveNoThread)
{
    const viz::Plan plan = viz::typed_plan({.grid = {2, 1, 1}, .block = {40, 1, 1}}, false);
    viz::LaunchPlace place{.camera = {}, .selected = {9, 99}};
    const viz::LaunchSide side(plan, place);
    EXPECT_EQ(place.selected, (viz::ThreadRef{1, 39})) << "limited to the launch";
    EXPECT_NE(viz::plain(viz::lane_words(side, 7)).substr(0, 24), viz::plain(viz::lane_words(side, 8)).substr(0, 24));
    EXPECT_TRUE(test::says(viz::plain(viz::lane_words(side, 7)), "thread 39"));
    EXPECT_FALSE(test::says(viz::plain(viz::lane_words(side, 8)), "thread 40"));
    EXPECT_EQ(viz::thread_lines(side, {1, 39}, true).back(), "i = 79");
}

// The cell between two blocks belongs to neither of them.
TEST(HierarchyFacts, BlocksStandApart)
{
    const viz::Plan plan = viz::typed_plan({.grid = {2, 2, 1}, .block = {16, 16, 1}}, false);
    const auto place = [&](uint64_t block) {
        const viz::PanZoom::Rect rect = viz::rect_of_block(plan, block);
        return std::array{rect.x, rect.y, rect.width, rect.height};
    };
    EXPECT_EQ(place(0), (std::array{0.0, 0.0, 16.0, 16.0}));
    EXPECT_EQ(place(1), (std::array{17.0, 0.0, 16.0, 16.0}));
    EXPECT_EQ(place(2), (std::array{0.0, 17.0, 16.0, 16.0}));
}

} // namespace
