// Lanes that a bounds check disables at the edges, in recordings of real kernels.
#include "viz/analysis/sectors.h"

#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

// shared_tile, 32 x 32 x 32: block (1,1) of 50 x 70 x 40 has 18 rows of C, and 8 of the 32 k of its second tile.
TEST(Guards, AreFalseOutsideOfTheMatrices)
{
    const recording::Recording made = test::record("shared_tile", {.M = 50, .N = 70, .K = 40}, {{1, 1, 0}});
    const viz::GuardUse use = viz::guard_use(made.launch, made.blocks[0]);
    EXPECT_EQ(use.accesses, 32u * 5) << "A and B for each of two tiles, and C";
    // A: 14 rows are outside in both tiles, and 24 columns of the other 18 rows. B: 24 rows of the second tile. C: 14
    // rows.
    EXPECT_EQ(use.off, 2u * 14 * 32 + 18 * 24 + 24 * 32 + 14 * 32);
    EXPECT_EQ(use.guarded, 2u * 14 + 18 + 24 + 14);
    EXPECT_EQ(use.lanes, 32u * 32 * 5);
}

// Blocks of 2 x 2 threads, whose tile divides the matrices. 28 lanes have no thread. No bounds check disables the other
// four.
TEST(Guards, ALaneWithoutAThreadIsNotHeldBack)
{
    const kernels::Stage& stage = test::stage("shared_tile");
    const kernels::Job job{&stage, {2}, {.M = 4, .N = 4, .K = 4}};
    const recording::Recording made = test::record(job);
    EXPECT_EQ(viz::lanes_with_thread(made.launch, 0), 0xfu);
    const viz::GuardUse use = viz::guard_use(made.launch, made.blocks[0]);
    EXPECT_EQ(use.guarded, 0u);
    EXPECT_EQ(use.off, 0u);
    EXPECT_EQ(use.lanes, 4 * use.accesses);
    EXPECT_EQ(viz::lanes_with_thread({.grid = {1, 1, 1}, .block = {40, 1, 1}}, 0), 0xffffffffu);
    EXPECT_EQ(viz::lanes_with_thread({.grid = {1, 1, 1}, .block = {40, 1, 1}}, 1), 0xffu);
}

} // namespace
