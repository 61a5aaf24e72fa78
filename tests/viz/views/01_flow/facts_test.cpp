#include "viz/views/01_flow/facts.h"

#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace {

using namespace viz;

StageColumn shown(const char* slug, const recording::Problem& problem)
{
    StageColumn result;
    result.slug = slug;
    result.recording = std::make_shared<const recording::Recording>(test::record(slug, problem));
    return result;
}

std::optional<uint32_t> added(const StageColumn& stage, std::size_t step)
{
    const recording::BlockTrace& block = stage.recording->blocks.at(0);
    FlowFacts facts(stage.recording, block, 0, std::make_shared<BlockTiling>(stage.recording, block));
    facts.move_to(step, 0, 0, false);
    return facts.summed_up_to();
}

std::size_t last_step(const StageColumn& stage)
{
    return stage.recording->blocks.at(0).warps.at(0).accesses.size() - 1;
}

TEST(FlowFacts, ASumHasTheProductsBelowThisKAndAllOfThemWhenItIsStored)
{
    const StageColumn naive = shown("naive", {.M = 32, .N = 32, .K = 9});
    EXPECT_EQ(added(naive, 0), 0u);
    EXPECT_EQ(added(naive, 8), 4u) << "two loads for each k";
    EXPECT_EQ(added(naive, last_step(naive)), 9u);
    const StageColumn tiled = shown("vectorized", {.M = 128, .N = 128, .K = 16});
    EXPECT_EQ(added(tiled, 0), 0u) << "before the first k-tile";
    EXPECT_EQ(added(tiled, last_step(tiled)), 16u);
}

TEST(FlowFacts, NoSumIsClaimedThatABlockDoesNotAddUpByItself)
{
    const StageColumn slices = shown("split_k", {.M = 128, .N = 128, .K = 128});
    EXPECT_FALSE(added(slices, last_step(slices) / 2));
    const StageColumn vectors = shown("vector_add", {.N = 256});
    EXPECT_FALSE(added(vectors, 0));
}

// All warps of a block share one object that follows the contents of shared memory.
TEST(FlowFacts, AreOfTheirOwnStepAfterAnotherWarpWasLookedAt)
{
    const StageColumn tiled = shown("vectorized", {.M = 128, .N = 128, .K = 16});
    const recording::BlockTrace& block = tiled.recording->blocks.at(0);
    const auto& accesses = block.warps.at(0).accesses;
    const auto load = std::ranges::find(accesses, recording::Op::shared_load, &recording::Access::op);
    ASSERT_NE(load, accesses.end());
    const auto step = static_cast<std::size_t>(load - accesses.begin());
    const auto tiling = std::make_shared<BlockTiling>(tiled.recording, block);
    FlowFacts first(tiled.recording, block, 0, tiling), second(tiled.recording, block, 1, tiling);
    first.move_to(step, 0, 0, false);
    const auto before = first.source_of(load->array, {0, 0});
    ASSERT_TRUE(before);
    second.move_to(last_step(tiled), 0, 0, false);
    EXPECT_NE(second.source_of(load->array, {0, 0}), before) << "the next k-tile is there now";
    first.move_to(step, 0, 0, false);
    EXPECT_EQ(first.source_of(load->array, {0, 0}), before);
}

} // namespace
