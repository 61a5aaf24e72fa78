// Which block computes each part of K of each tile. What follows from the parameters is equal to what recorded blocks
// read.
#include "shipped_recordings.h"

#include "tests/ladder.h"
#include "tests/placed_launch.h"
#include "viz/analysis/launches.h"
#include "viz/analysis/recorded_parts.h"
#include "viz/analysis/values.h"

#include "backend.h"
#include "recording/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace {

using namespace viz;
using recording::Index3;

// Tiles of 64 x 64 x 8. Twelve blocks share the tiles that remain after whole waves.
recording::Recording cut_launch(recording::Problem problem, std::vector<Index3> blocks)
{
    const kernels::Stage& stage = test::stage("fastest");
    return kernels::make_cpu_backend()->record({&stage, stage.cpu_variants.at(4), problem}, blocks, {});
}

std::vector<WorkPart> of_block(const TileWork& work, uint32_t block)
{
    std::vector<WorkPart> parts;
    for (const std::size_t i : parts_of_block(work, block))
        parts.push_back(work.parts[i]);
    return parts;
}

NoWork why_not(const recording::Recording& launch)
{
    const auto work = tile_work(launch);
    EXPECT_FALSE(work);
    return work.why;
}

// 17 tiles of 16 k-tiles: 12 tiles are whole, and 12 blocks share the 80 k-tiles of the other five. So some blocks have
// two tiles.
TEST(TileWork, DerivedIsWhatWasRecorded)
{
    std::vector<Index3> blocks;
    for (uint32_t block = 0; block < 24; ++block)
        blocks.push_back({block, 0, 0});
    const recording::Recording launch = cut_launch({.M = 17 * 64, .N = 60, .K = 121}, blocks);
    const auto work = tile_work(launch);
    ASSERT_TRUE(work);
    recording::check(launch); // a block with two parts uses the same shared tiles for both
    EXPECT_EQ(work->tiles(), 17u);
    EXPECT_EQ(work->k_tiles, 16u);
    EXPECT_EQ(of_block(*work, 12), (std::vector<WorkPart>{{12, 12, 0, 7, true}}));
    EXPECT_EQ(of_block(*work, 14), (std::vector<WorkPart>{{14, 12, 14, 2, true}, {14, 13, 0, 5, true}}));
    EXPECT_TRUE(std::ranges::all_of(work->parts, &WorkPart::recorded));
    for (const recording::BlockTrace& trace : launch.blocks) {
        const auto read = recorded_parts(launch, trace, *work);
        ASSERT_TRUE(read) << trace.block.x;
        EXPECT_EQ(*read, of_block(*work, trace.block.x));
    }
}

// The parameters may belong to another version of the stage's file, or to a user's kernel with the same names.
TEST(TileWork, ARecordedBlockMayContradict)
{
    recording::Recording launch = cut_launch({.M = 320, .N = 320, .K = 128}, {{24, 0, 0}, {25, 0, 0}});
    EXPECT_TRUE(tile_work(launch));
    std::swap(launch.blocks[0].warps, launch.blocks[1].warps);
    EXPECT_EQ(why_not(launch), NoWork::contradicted);
    launch.blocks.clear();
    const auto work = tile_work(launch);
    ASSERT_TRUE(work);
    EXPECT_FALSE(of_block(*work, 24)[0].recorded) << "no block's results are that tile";
    EXPECT_TRUE(of_block(*work, 3)[0].recorded) << "as the owners of C say";
    launch.owner.front() = launch.owner[64];
    EXPECT_EQ(why_not(launch), NoWork::contradicted)
        << "the first tile begins with an element of its neighbour's block";
}

TEST(TileWork, IdleTimeBeforeAndAfterTheCut)
{
    const recording::Recording launch = cut_launch({.M = 320, .N = 320, .K = 128}, {{0, 0, 0}});
    const auto facts = work_facts(*tile_work(launch), nullptr, {});
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->launched_cut);
    EXPECT_FALSE(facts->on_sms);
    EXPECT_EQ(facts->places, 12u);
    // 25 tiles of 16 k-tiles in 12 slots take three waves. With the last tile shared by four blocks, they take two
    // waves and 4 k-tiles.
    EXPECT_EQ(facts->whole.lanes.length, 48u);
    EXPECT_EQ(facts->cut.lanes.length, 36u);
    EXPECT_NEAR(facts->whole.lanes.idle(), 1 - 400.0 / (12 * 48), 1e-12);
    EXPECT_NEAR(facts->cut.lanes.idle(), 1 - 400.0 / (12 * 36), 1e-12);
    EXPECT_EQ(facts->cut.by_tile.cut, std::vector<uint32_t>{24});
    EXPECT_TRUE(facts->whole.by_tile.cut.empty());
    EXPECT_EQ(facts->cut.lanes.end_of(3, facts->cut.work), 36u);
    EXPECT_EQ(facts->cut.lanes.end_of(4, facts->cut.work), 32u);
}

TEST(TileWork, SlicesTakeTurns)
{
    const kernels::Stage& stage = test::stage("split_k");
    const recording::Recording launch =
        kernels::make_cpu_backend()->record({&stage, stage.standard_parameters(), {.M = 128, .N = 256, .K = 128}},
                                            std::vector<Index3>{{0, 0, 0}, {1, 0, 3}}, {});
    const auto work = tile_work(launch);
    ASSERT_TRUE(work);
    EXPECT_EQ(work->slices, 4u);
    const auto own = of_block(*work, 7);
    ASSERT_EQ(own.size(), 2u);
    EXPECT_EQ(own[1], (WorkPart{7, 1, 7, 1, true}));
    EXPECT_EQ(parts_of_tiles(*work).cut.size(), work->tiles());
    const auto facts = work_facts(*work, nullptr, {4, true});
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->whole.lanes.length, 8u) << "two tiles on four SMs";
    EXPECT_EQ(facts->cut.lanes.length, 4u) << "eight slices of two k-tiles";
}

// Returns a made-up launch of a stage that no CPU can run: nothing is known about C.
recording::Recording launch_of(recording::Problem problem, std::vector<recording::Parameter> parameters, Index3 grid)
{
    recording::Recording launch;
    launch.problem = problem;
    launch.parameters = std::move(parameters);
    launch.launch = {grid, {384, 1, 1}};
    return launch;
}

// The parameters are those of wgmma_tma with DEPTH.
TEST(TileWork, BlocksOfAClusterShareATile)
{
    recording::Recording launch = launch_of(
        {.M = 256, .N = 128, .K = 320},
        {{"BM", 128}, {"BN", 128}, {"BK", 64}, {"BLOCKS", 132}, {"ABOVE", 1}, {"BESIDE", 1}, {"DEPTH", 2}}, {4, 1, 1});
    const auto work = tile_work(launch);
    ASSERT_TRUE(work);
    EXPECT_EQ(work->parts, (std::vector<WorkPart>{{0, 0, 0, 2}, {1, 0, 2, 3}, {2, 1, 0, 2}, {3, 1, 2, 3}}));
    EXPECT_EQ(work->slices, 1u) << "without slices all of K can be drawn";
    const auto facts = work_facts(*work, nullptr, {132, true});
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->launched_cut);
    EXPECT_EQ(facts->cut.longest, 3u);
    EXPECT_EQ(facts->otherwise().work.depth, 1u);
    EXPECT_EQ(facts->otherwise().longest, 5u);
    launch.launch.grid.x = 8;
    EXPECT_EQ(why_not(launch), NoWork::other_blocks);
    // With 2^28 k-tiles for 64 blocks.
    const auto long_one =
        tile_work(launch_of({.M = 1, .N = 1, .K = 1u << 28},
                            {{"BM", 1}, {"BN", 1}, {"BK", 1}, {"ABOVE", 1}, {"BESIDE", 1}, {"DEPTH", 64}}, {64, 1, 1}));
    ASSERT_TRUE(long_one);
    EXPECT_EQ(long_one->parts.back(), (WorkPart{63, 0, 63u << 22, 1u << 22}));
}

// Some blocks have no work if there are fewer k-tiles than slices, or than blocks in a cluster.
TEST(TileWork, OfAShortKSomeBlocksHaveNothing)
{
    const std::vector<recording::Parameter> sliced{{"BM", 64}, {"BN", 64}, {"BK", 16}};
    const auto slices = tile_work(launch_of({.M = 64, .N = 64, .K = 32}, sliced, {1, 1, 4}));
    ASSERT_TRUE(slices);
    EXPECT_EQ(slices->parts, (std::vector<WorkPart>{{0, 0, 0, 1}, {1, 0, 1, 1}}));
    std::vector<recording::Parameter> deep = sliced;
    deep.insert(deep.end(), {{"ABOVE", 1}, {"BESIDE", 1}, {"DEPTH", 4}});
    const auto depth = tile_work(launch_of({.M = 64, .N = 64, .K = 32}, deep, {4, 1, 1}));
    ASSERT_TRUE(depth);
    EXPECT_EQ(depth->parts, (std::vector<WorkPart>{{1, 0, 0, 1}, {3, 0, 1, 1}}));
}

TEST(TileWork, SaysWhyItCannotBeTold)
{
    const std::vector<recording::Parameter> tile{{"BM", 64}, {"BN", 64}, {"BK", 16}};
    EXPECT_EQ(why_not(launch_of({.M = 64, .N = 64, .K = 32}, {{"BM", 64}, {"BN", 64}}, {1, 1, 1})), NoWork::no_tile);
    EXPECT_EQ(why_not(launch_of({.M = 64, .N = 64, .K = 32}, tile, {2, 1, 1})), NoWork::other_blocks);
    EXPECT_EQ(why_not(launch_of({.M = 64, .N = 64, .K = 32}, tile, {2, 1, 4})), NoWork::other_blocks);
    EXPECT_EQ(why_not(launch_of({.M = 1u << 31, .N = 1u << 31, .K = 32}, tile, {1, 1, 1})), NoWork::too_large);
    std::vector<recording::Parameter> waves = tile;
    waves.push_back({"WAVE", 1 << 17});
    EXPECT_EQ(why_not(launch_of({.M = 64, .N = 64, .K = 32}, waves, {1, 1, 1})), NoWork::too_large)
        << "as many lanes as that";
    const auto work = tile_work(launch_of({.M = 64, .N = 64, .K = 32}, tile, {1, 1, 1}));
    ASSERT_TRUE(work);
    EXPECT_EQ(work_facts(*work, nullptr, {}).why, NoWork::no_places);
    EXPECT_EQ(work_facts(*work, nullptr, {1u << 17, true}).why, NoWork::too_large);
    EXPECT_TRUE(work_facts(*work, nullptr, {132, true}));
}

TEST(TileWork, FindsATileByItsPlace)
{
    const auto work = tile_work(launch_of(
        {.M = 5 * 64, .N = 3 * 64, .K = 64},
        {{"BM", 64}, {"BN", 64}, {"BK", 16}, {"GROUP", 2}, {"ABOVE", 2}, {"BESIDE", 1}, {"BLOCKS", 18}}, {18, 1, 1}));
    ASSERT_TRUE(work);
    EXPECT_EQ(work->tiles(), 18u) << "six rows of tiles, because a cluster has two";
    for (uint32_t tile = 0; tile < work->tiles(); ++tile)
        EXPECT_EQ(work->tile_at(work->places[tile]), tile);
    EXPECT_FALSE(work->tile_at({6, 0}));
    EXPECT_FALSE(work->tile_at({0, 3}));
}

// The lanes are the SMs of the recording, even if the rule gives others.
TEST(TileWork, LanesAreTheSmsThatRanIt)
{
    const test::Scheduler scheduler{
        .sms = 4, .slots = 1, .duration = [](uint32_t block) { return uint64_t{block == 1 ? 50000u : 10000u}; }};
    const recording::Recording launch = test::placed_launch("swizzled", 640, scheduler); // 5 x 5 blocks
    const auto picture = placement_of(launch);
    ASSERT_TRUE(picture);
    const auto facts = work_facts(*tile_work(launch), &*picture, {});
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->on_sms && facts->placed);
    EXPECT_FALSE(facts->launched_cut);
    const TileWork& work = facts->whole.work;
    EXPECT_EQ(facts->whole.lanes.work, uint64_t{work.tiles()} * work.k_tiles);
    for (uint32_t sm = 0; sm < 4; ++sm)
        EXPECT_EQ(facts->whole.lanes.end_of(sm, work), (picture->first[sm + 1] - picture->first[sm]) * work.k_tiles);
    EXPECT_LT(facts->whole.lanes.end_of(1, work), facts->whole.lanes.length) << "its block took five times as long";
    EXPECT_LE(facts->cut.lanes.length, facts->whole.lanes.length);
}

// Includes recordings of kernels that only a GPU can run.
TEST(TileWork, EveryShippedRecordingKeepsToItsRule)
{
    std::size_t found = 0;
    for_each_shipped([&](const std::filesystem::path& file, const recording::Recording& launch) {
        const auto tile = tile_in(launch.parameters);
        if (!tile || !tile->depth)
            return;
        EXPECT_TRUE(tile_work(launch)) << file;
        ++found;
    });
    EXPECT_GT(found, 20u);
}

// Four slices of two k-tiles each. The last step includes all products.
TEST(TileWork, ReductionAddsSliceAfterSlice)
{
    const recording::Recording launch = test::record("split_k", {.M = 128, .N = 128, .K = 128});
    const auto work = tile_work(launch);
    ASSERT_TRUE(work);
    const auto steps = reduction_steps(launch, *work, 0, {5, 7});
    ASSERT_EQ(steps.size(), 4u);
    double total = 0;
    for (uint32_t slice = 0; slice < 4; ++slice) {
        EXPECT_EQ(steps[slice].k_tiles, 2u);
        const double sum = *partial_sum(launch, {5, 7}, slice * 16, slice * 16 + 16) +
                           *partial_sum(launch, {5, 7}, 64 + slice * 16, 64 + slice * 16 + 16);
        EXPECT_DOUBLE_EQ(steps[slice].slice.value(), sum);
        EXPECT_NEAR(steps[slice].total.value(), total += sum, 1e-12);
    }
    EXPECT_NEAR(steps.back().total.value(), *partial_sum(launch, {5, 7}, 0, 128), 1e-9);
    const recording::Recording whole = test::record("warp_tile", {.M = 128, .N = 128, .K = 128});
    EXPECT_TRUE(reduction_steps(whole, *tile_work(whole), 0, {5, 7}).empty());
}

} // namespace
