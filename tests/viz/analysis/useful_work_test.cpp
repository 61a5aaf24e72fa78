// Results outside C are not useful work. Recordings that consist mostly of edges are not compared.
#include "tests/ladder.h"
#include "tests/says.h"
#include "viz/analysis/comparison_messages.h"

#include "viz/text/rich.h"

#include "backend.h"
#include "stage.h"

#include <gtest/gtest.h>

namespace {

using test::says;

recording::Recording recorded(std::string_view slug, const recording::Problem& problem)
{
    static const auto backend = kernels::make_cpu_backend();
    const kernels::Stage& stage = test::stage(slug);
    const recording::Index3 first{0, 0, 0};
    return backend->record({&stage, stage.standard_parameters(), problem}, {&first, 1}, {});
}

viz::ComparedRung rung_of(const recording::Recording& recording)
{
    return {recording.stage, recording, viz::figures_of(recording, recording.blocks.at(0)), {}};
}

TEST(UsefulWork, IsTheShareOfTheTilesThatLiesInC)
{
    recording::Recording recording;
    recording.parameters = {{"BM", 128}, {"BN", 256}, {"BK", 16}};
    recording.problem = {.M = 128, .N = 128, .K = 128};
    EXPECT_DOUBLE_EQ(viz::useful_work(recording).share, 0.5);
    EXPECT_TRUE(viz::useful_work(recording).mostly_edge());
    recording.problem = {.M = 129, .N = 256, .K = 8};
    EXPECT_DOUBLE_EQ(viz::useful_work(recording).share, 129.0 / 256 / 2);
    recording.problem = {.M = 256, .N = 512, .K = 128};
    EXPECT_DOUBLE_EQ(viz::useful_work(recording).share, 1);
    recording.parameters = {};
    EXPECT_DOUBLE_EQ(viz::useful_work(recording).share, 1) << "no tile is named";
}

// At 256 x 512, double_buffered_halves and warp_tile have equal shared loads. At 128, half of a tile is outside of C.
TEST(UsefulWork, RecordingsThatAreMostlyEdgeAreNotCompared)
{
    const recording::Problem small{.M = 128, .N = 128, .K = 32};
    const recording::Recording halves = recorded("double_buffered_halves", small), tile = recorded("warp_tile", small);
    const viz::ComparedRung first = rung_of(halves), second = rung_of(tile);
    EXPECT_FALSE(first.figures[viz::Measure::shared_loads]);
    EXPECT_TRUE(second.figures[viz::Measure::shared_loads]);
    const std::string said = viz::plain(viz::what_it_bought(first, second));
    EXPECT_TRUE(
        says(said, "At 128 × 128 × 32 50.0% of what the tiles of double_buffered_halves compute lies outside C"));
    EXPECT_TRUE(says(said, "256 × 512 × 128"));
    EXPECT_FALSE(says(said, "What fell") || says(said, "What grew") || says(said, "no counted figure"));
}

TEST(UsefulWork, WholeTilesAre)
{
    const recording::Problem whole{.M = 128, .N = 256, .K = 32};
    const recording::Recording halves = recorded("double_buffered_halves", whole), tile = recorded("warp_tile", whole);
    const viz::ComparedRung first = rung_of(halves), second = rung_of(tile);
    EXPECT_FALSE(says(viz::plain(viz::what_it_bought(first, second)), "outside C"));
    EXPECT_NEAR(*first.figures[viz::Measure::shared_loads], *second.figures[viz::Measure::shared_loads], 0.01);
}

} // namespace
