// Waves, tail and imbalance of launches that can be drawn on paper.
#include "tests/placed_launch.h"
#include "tests/says.h"
#include "viz/analysis/placement.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using test::says;

recording::Recording launch_of(uint32_t sms, std::vector<recording::Placement> placements)
{
    recording::Recording result;
    result.launch.grid = {static_cast<uint32_t>(placements.size()), 1, 1};
    result.launch.block = {256, 1, 1};
    result.device.sm_count = sms;
    result.placements = std::move(placements);
    result.resources = recording::Resources{};
    result.placed = {.resources = {}, .plain_ms = 1, .placed_ms = 1};
    return result;
}

// SM 0: blocks 0 and 1 together, then block 3 after block 1. SM 1: block 2, a pause, block 4. SM 2: no block.
viz::PlacementPicture on_paper()
{
    return *viz::placement_of(launch_of(3, {{0, 0, 100}, {0, 0, 40}, {1, 0, 30}, {0, 40, 80}, {1, 50, 70}}));
}

TEST(Placement, ADamagedRecordingMayNameAnySm)
{
    EXPECT_FALSE(viz::placement_of(launch_of(3, {{0, 0, 100}, {0xffffffff, 0, 40}})));
    EXPECT_FALSE(viz::placement_of(launch_of(3, {{0, 0, 100}, {100'000'000, 0, 40}})));
    EXPECT_FALSE(viz::placement_of(launch_of(0xffffffff, {{0, 0, 100}})));
}

TEST(Placement, BlocksGetSlotsAndWaves)
{
    const viz::PlacementPicture picture = on_paper();
    EXPECT_EQ(picture.sms, 3u);
    EXPECT_EQ(picture.sms_used, 2u);
    EXPECT_EQ(picture.slots, 2u);
    EXPECT_EQ(picture.waves, 2u);
    const auto at = [&](uint32_t block) { return *std::ranges::find(picture.blocks, block, &viz::PlacedBlock::block); };
    EXPECT_EQ(at(0).slot, 0u);
    EXPECT_EQ(at(1).slot, 1u);
    EXPECT_EQ(at(3).slot, 1u);
    EXPECT_EQ(at(3).wave, 1u);
    EXPECT_EQ(at(4).slot, 0u);
    EXPECT_EQ(at(4).wave, 1u);
    EXPECT_EQ(picture.first, (std::vector<std::size_t>{0, 3, 5, 5}));
}

TEST(Placement, TimesTailAndIdleShare)
{
    const viz::PlacementPicture picture = on_paper();
    EXPECT_EQ(picture.span_ns, 100u);
    EXPECT_EQ(picture.shortest_ns, 20u);
    EXPECT_EQ(picture.median_ns, 40u);
    EXPECT_EQ(picture.longest_ns, 100u);
    EXPECT_EQ(picture.tail_ns, 30u) << "SM 1 is empty from 70 on; all blocks have started by 50";
    EXPECT_DOUBLE_EQ(picture.idle_share, (0 + 50 + 100) / 300.0);
    EXPECT_DOUBLE_EQ(picture.fills(), 5 / 6.0);
    EXPECT_DOUBLE_EQ(picture.last_fill(), 5 / 6.0);
}

TEST(Placement, ResidentBlocksOverTime)
{
    std::vector<std::pair<uint64_t, uint32_t>> steps;
    for (const viz::ResidentStep& step : on_paper().resident)
        steps.emplace_back(step.ns, step.blocks);
    EXPECT_EQ(steps, (std::vector<std::pair<uint64_t, uint32_t>>{
                         {0, 3}, {30, 2}, {40, 2}, {50, 3}, {70, 2}, {80, 1}, {100, 0}}));
}

TEST(Placement, FindsTheBlockAtAPlace)
{
    const viz::PlacementPicture picture = on_paper();
    const auto number = [](const viz::PlacedBlock* block) { return block ? static_cast<int>(block->block) : -1; };
    EXPECT_EQ(number(viz::block_at(picture, 0, 60, 1)), 3);
    EXPECT_EQ(number(viz::block_at(picture, 0, 60, 0)), 0);
    EXPECT_EQ(number(viz::block_at(picture, 1, 40, {})), -1);
    EXPECT_EQ(number(viz::block_at(picture, 1, 60, {})), 4);
    EXPECT_EQ(number(viz::block_at(picture, 2, 0, {})), -1);
    EXPECT_EQ(number(viz::block_at(picture, 7, 0, {})), -1);
}

TEST(Placement, NamesTheSmsWithoutABlock)
{
    EXPECT_EQ(viz::idle_sms(on_paper(), 10), (std::vector<uint32_t>{2}));
    EXPECT_EQ(viz::idle_sms(on_paper(), 35), (std::vector<uint32_t>{1, 2})) << "between its two blocks";
    EXPECT_EQ(viz::idle_sms(on_paper(), 90), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(viz::plain(viz::idle_words(on_paper(), 35)), "At 35 ns 2 SMs have no block: 1-2.");
}

TEST(Placement, BlocksInFullTakeAsLongAsTheyDo) // they were recorded in another launch
{
    recording::Recording recording = launch_of(2, {{0, 0, 900}, {1, 0, 100}, {1, 100, 220}});
    recording.blocks.push_back({.block = {0, 0, 0}, .warps = {}});
    const viz::PlacementPicture picture = *viz::placement_of(recording);
    EXPECT_EQ(picture.in_full, 1u);
    EXPECT_EQ(picture.longest_ns, 900u);
}

// An SM holds two blocks of the timed kernel.
TEST(Placement, HasNoTimesButThoseOfTheTimedKernel)
{
    recording::Recording recording = launch_of(2, {{0, 0, 900}, {1, 0, 100}, {1, 100, 220}});
    recording.resources = recording::Resources{120, 9216, 0, 2};
    recording.placed = {.resources = {128, 9216, 0, 2}, .plain_ms = 1.29, .placed_ms = 1.31};
    EXPECT_TRUE(viz::placement_of(recording)) << "other registers alone change nothing";
    const auto refuses = [&](const recording::PlacedRun& run, recording::Untimed why, std::string_view said) {
        recording.placed = run;
        EXPECT_FALSE(viz::placement_of(recording));
        EXPECT_EQ(recording::why_untimed(recording), why);
        EXPECT_TRUE(says(viz::plain(viz::no_placement(recording, viz::Elsewhere::nowhere)), said));
    };
    refuses({{129, 9216, 0, 1}, 1.29, 1.29}, recording::Untimed::other_residency, "fit an SM, of the timed one");
    refuses({{120, 9217, 0, 2}, 1.29, 1.29}, recording::Untimed::other_residency, "fit an SM, of the timed one");
    refuses({{120, 9216, 0, 2}, 1.29, 2.27}, recording::Untimed::other_time,
            "apart, so these are not the times of the kernel");
    refuses({{120, 9216, 0, 2}, 1.29, 1.2641}, recording::Untimed::other_time,
            "apart, so these are not the times of the kernel");
    refuses({{120, 9216, 0, 2}, 0, 0}, recording::Untimed::other_time,
            "apart, so these are not the times of the kernel");
    recording.placed.reset();
    EXPECT_FALSE(viz::placement_of(recording));
    EXPECT_TRUE(
        says(viz::plain(viz::no_placement(recording, viz::Elsewhere::nowhere)), "also wrote down what they did"));
}

// With a row per slot, each block has its own interval. With one row per SM, the block that began last covers others
// until another one begins or all have ended. Time without a block is in all rows of the SM.
TEST(Placement, RowsOfLanesFollowOneAnother)
{
    const viz::PlacementPicture picture = on_paper();
    const auto shown = [&](const viz::PlacedLanes& lanes, std::size_t row) {
        std::string words;
        for (const viz::PlacedLanes::Span& span : lanes.row(row))
            words += fmt::format(
                "{}-{} {} ", span.from_ns, span.until_ns,
                span.block == viz::PlacedLanes::no_block ? "idle" : std::to_string(picture.blocks[span.block].block));
        return words;
    };
    const viz::PlacedLanes slots = viz::placed_lanes(picture, true), dense = viz::placed_lanes(picture, false);
    ASSERT_EQ(slots.first.size(), 7u) << "three SMs of two slots";
    EXPECT_EQ(shown(slots, 0), "0-100 0 ");
    EXPECT_EQ(shown(slots, 1), "0-40 1 40-80 3 ") << "a free slot beside a block is not idle";
    EXPECT_EQ(shown(slots, 2), "0-30 2 30-50 idle 50-70 4 70-100 idle ");
    EXPECT_EQ(shown(slots, 3), "30-50 idle 70-100 idle ");
    EXPECT_EQ(shown(slots, 5), "0-100 idle ");
    ASSERT_EQ(dense.first.size(), 4u);
    EXPECT_EQ(shown(dense, 0), "0-0 0 0-40 1 40-100 3 ") << "block 0 goes on until 100";
    EXPECT_EQ(shown(dense, 1), "0-30 2 30-50 idle 50-70 4 70-100 idle ");
}

TEST(Placement, WhichSmHadWhichBlockIsKnownWithoutTimes)
{
    recording::Recording recording = launch_of(3, {{0, 0, 900}, {2, 0, 100}, {2, 100, 220}});
    recording.placed.reset(); // as if the recorded launch had written them
    ASSERT_FALSE(viz::placement_of(recording));
    const viz::PlacedBlocks placed = *viz::placed_blocks(recording);
    EXPECT_EQ(placed.sms, 3u);
    EXPECT_EQ(placed.sms_used, 2u);
    EXPECT_EQ(placed.first, (std::vector<std::size_t>{0, 1, 1, 3}));
    EXPECT_EQ(placed.blocks[2].block, 2u);
    EXPECT_EQ(viz::plain(viz::block_words(recording, placed.blocks[2])), "block (2,0), number 2, on SM 2") << "no time";
    EXPECT_FALSE(viz::placed_blocks(launch_of(3, {}))) << "the CPU's blocks have no placements";
    EXPECT_FALSE(viz::placed_blocks(launch_of(3, {{0xffffffff, 0, 40}})));
}

// 4,096 blocks on 132 SMs with two slots each are 15.5 waves.
TEST(Placement, ALargeLaunch)
{
    const recording::Recording recording = test::placed_launch("naive", 2048);
    const viz::PlacementPicture picture = *viz::placement_of(recording);
    EXPECT_EQ(picture.blocks.size(), 4096u);
    EXPECT_EQ(picture.slots, 2u);
    EXPECT_EQ(picture.sms_used, 132u);
    EXPECT_NEAR(picture.fills(), 4096 / 264.0, 1e-12);
    EXPECT_NEAR(picture.last_fill(), 4096 / 264.0 - 15, 1e-12);
    EXPECT_GE(picture.waves, 15u);
    EXPECT_LT(picture.idle_share, 0.1);
    for (const viz::ResidentStep& step : picture.resident)
        EXPECT_LE(step.blocks, 264u);
}

TEST(Placement, TheCpuHasNone)
{
    EXPECT_FALSE(viz::placement_of(launch_of(0, {})));
}

TEST(Placement, SaysHowBlocksFillTheGpu)
{
    const recording::Recording launch = launch_of(3, {{0, 0, 100}, {0, 0, 40}, {1, 0, 30}, {0, 40, 80}, {1, 50, 70}});
    EXPECT_EQ(viz::plain(viz::wave_words(launch, on_paper())),
              "5 blocks of 8 warps on 2 of 3 SMs, at most 2 at once on one: 4 warps for each of its 4 "
              "schedulers. That is 83.3% of what the GPU could hold at once: one wave. 1 SM gets no "
              "block; more and smaller blocks, or K split over several, would reach them.");
    EXPECT_TRUE(viz::plain(viz::balance_words(launch, on_paper()))
                    .starts_with("A block takes 20 ns to 100 ns, half of them less than 40 ns."));
    const auto why = [](const recording::Recording& recording, viz::Elsewhere others) {
        return viz::plain(viz::no_placement(recording, others));
    };
    EXPECT_TRUE(why(launch_of(0, {}), viz::Elsewhere::nowhere).starts_with("Recorded on the CPU"));
    EXPECT_TRUE(says(why(launch_of(3, {{0xffffffff, 0, 40}}), viz::Elsewhere::nowhere), "more than any GPU has"));
    EXPECT_TRUE(says(why(launch_of(0, {}), viz::Elsewhere::behind_tiny), "All is tiny now"));
    EXPECT_TRUE(says(viz::plain(viz::no_placement(launch_of(0, {}), viz::Elsewhere::above)), "button with its size"));
    EXPECT_FALSE(
        says(viz::plain(viz::no_placement(launch_of(0, {}), viz::Elsewhere::nowhere)), "button with its size"));
}

// In naive, x runs down C, which a recording of another size shows. Without a recording, blocks are drawn by their
// indices.
TEST(BlockGrid, LiesAsItsBlocksLieInC)
{
    recording::Recording owners;
    owners.problem = {2, 3, 1};
    owners.launch = {{2, 3, 1}, {1, 1, 1}};
    owners.arrays.resize(3);
    owners.arrays[2].rows = 2;
    owners.arrays[2].cols = 3;
    owners.owner = {0, 2, 4, 1, 3, 5}; // row by row of C
    const recording::Launch large{{20, 30, 2}, {1, 1, 1}};
    const viz::BlockGrid turned = viz::block_grid(large, &owners);
    EXPECT_TRUE(turned.as_in_c);
    EXPECT_EQ(turned.place(5), (viz::Cell{5, 0}));
    EXPECT_EQ(turned.block_at({5, 0}, 1), 605u);
    EXPECT_EQ(turned.block_at({20, 0}, 0), std::nullopt);
    const viz::BlockGrid plain = viz::block_grid(large, nullptr);
    EXPECT_FALSE(plain.as_in_c);
    EXPECT_EQ(plain.place(25), (viz::Cell{1, 5}));
    const viz::BlockGrid row = viz::block_grid({{10, 1, 1}, {1, 1, 1}}, &owners);
    EXPECT_EQ(row.cols, 4u) << "a row is wrapped";
    EXPECT_EQ(row.place(9), (viz::Cell{2, 1}));
    EXPECT_EQ(row.block_at({2, 2}, 0), std::nullopt);
}

TEST(BlockGrid, ABlockWaitsRunsAndIsDone)
{
    const viz::PlacedBlock block{.start_ns = 10, .end_ns = 20};
    EXPECT_EQ(viz::state_at(block, 9), viz::BlockState::waiting);
    EXPECT_EQ(viz::state_at(block, 10), viz::BlockState::running);
    EXPECT_EQ(viz::state_at(block, 20), viz::BlockState::done);
}

} // namespace
