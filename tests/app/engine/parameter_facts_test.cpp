// Facts about a set of parameters before compilation.
#include "app/engine/examine.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

// Computed by hand: C has 128 x 128 elements, one tile, and each thread computes 8 x 8 results. So there is one block
// of 256 threads, and each tile has 8 values of k.
TEST(ParameterFacts, AreThoseOfTheLaunchAndItsTiles)
{
    const kernels::Stage& stage = test::stage("vectorized");
    kernels::ParameterValues values = stage.standard_parameters();
    const recording::Problem problem{.M = 256, .N = 128, .K = 128};
    const app::ParameterFacts facts = app::parameter_facts(stage, values, problem);
    EXPECT_EQ(facts.launch.grid, (recording::Index3{1, 2, 1}));
    EXPECT_EQ(facts.launch.threads_per_block(), 256u);
    ASSERT_EQ(facts.tiles.size(), 2u);
    EXPECT_EQ(facts.tiles[0].rows * facts.tiles[0].cols, 8u * 128);
    EXPECT_EQ(facts.shared_bytes, 2u * 8 * 128 * 4);
    values[2] = 16;
    EXPECT_EQ(app::parameter_facts(stage, values, problem).shared_bytes, 2u * 16 * 128 * 4);
}

} // namespace
