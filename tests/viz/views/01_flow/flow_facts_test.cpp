#include "viz/views/01_flow/flow_facts.h"

#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

ShownStage shown(const char* slug, const recording::Problem& problem)
{
    ShownStage result;
    result.slug = slug;
    result.recording = std::make_shared<const recording::Recording>(test::record(slug, problem));
    return result;
}

std::optional<uint32_t> added(const ShownStage& stage, std::size_t step)
{
    FlowFacts facts;
    Selection selection;
    selection.step = step;
    facts.update(stage, focus_on(stage, stage, selection), 0, 0, false);
    return facts.added_up_to();
}

std::size_t last_step(const ShownStage& stage)
{
    return stage.recording->blocks.at(0).warps.at(0).accesses.size() - 1;
}

TEST(FlowFacts, ASumHasTheProductsBelowThisKAndAllOfThemWhenItIsStored)
{
    const ShownStage naive = shown("naive", {.M = 32, .N = 32, .K = 9});
    EXPECT_EQ(added(naive, 0), 0u);
    EXPECT_EQ(added(naive, 8), 4u) << "two loads for each k";
    EXPECT_EQ(added(naive, last_step(naive)), 9u);
    const ShownStage tiled = shown("vectorized", {.M = 128, .N = 128, .K = 16});
    EXPECT_EQ(added(tiled, 0), 0u) << "before the first k-tile";
    EXPECT_EQ(added(tiled, last_step(tiled)), 16u);
}

TEST(FlowFacts, NoSumIsClaimedThatABlockDoesNotAddUpByItself)
{
    const ShownStage slices = shown("split_k", {.M = 128, .N = 128, .K = 128});
    EXPECT_FALSE(added(slices, last_step(slices) / 2));
    const ShownStage vectors = shown("vector_add", {.N = 256});
    EXPECT_FALSE(added(vectors, 0));
}

} // namespace
