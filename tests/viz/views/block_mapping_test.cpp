// The elements of C that the threads of a block hold, drawn in the tile of its parameters.
#include "viz/views/70_faster/facts.h"

#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"

#include <gtest/gtest.h>

namespace {

using recording::Recording;
using recording::Space;

// One block of one warp, with a C of 4 x 8. Thread i has element i.
Recording product()
{
    Recording r = product_of({4, 8, 10, 1, 0});
    r.blocks = {{{0, 0, 0}, {{}}}};
    return r;
}

TEST(BlockMapping, ATileWiderThanCReachesOutOfIt)
{
    Recording r = product();
    EXPECT_FALSE(viz::mapping_of(r, r.blocks[0], 0, 0).reaches_out());
    r.parameters = {{"BM", 4}, {"BN", 16}, {"BK", 2}};
    const viz::BlockMapping wide = viz::mapping_of(r, r.blocks[0], 0, 0);
    EXPECT_EQ(wide.tile, (viz::CellRect{0, 0, 4, 16})) << "what the block computes";
    EXPECT_EQ(wide.rows, 4u);
    EXPECT_EQ(wide.cols, 8u) << "and what of it lies in C";
    EXPECT_TRUE(wide.reaches_out());
    EXPECT_EQ(wide.warp_results, 32u);
}

TEST(BlockMapping, OfATraceWithoutRowsAndColumnsIsNotDrawn)
{
    Recording r = product();
    r.problem = {1, 64, 1, 1, 0};
    r.arrays[2] = array_of("written", Space::global, 1, 64);
    r.executed = recording::InstructionTrace{.kernel = "sgemm", .language = "SASS"};
    for (uint32_t i = 0; i < 32; ++i)
        r.owner.push_back(recording::no_owner);
    EXPECT_FALSE(viz::mapping_of(r, r.blocks[0], 0, 0).scattered) << "one run of elements";
    std::swap(r.owner[31], r.owner[63]);
    const viz::BlockMapping scattered = viz::mapping_of(r, r.blocks[0], 0, 0);
    EXPECT_TRUE(scattered.scattered);
    EXPECT_EQ(scattered.warp_results, 32u);
}

// WMMA's fragments go to a tile, and other threads store C from there, row by row.
TEST(BlockMapping, SaysWhereWhoStoresIsNotWhoAddedUp)
{
    const Recording fragments = test::record("wmma", {128, 128, 64}),
                    lanes = test::record("vectorized", {128, 128, 16});
    EXPECT_TRUE(viz::mapping_of(fragments, fragments.blocks[0], 0, 0).passed_on);
    EXPECT_FALSE(viz::mapping_of(lanes, lanes.blocks[0], 0, 0).passed_on);
}

} // namespace
