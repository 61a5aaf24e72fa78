// K divided into tiles and slices, the state of each tile, and the operands of a thread's products. From recordings of
// real kernels.
#include "viz/analysis/pipeline.h"
#include "viz/analysis/tiling.h"

#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

using namespace viz;

std::shared_ptr<const recording::Recording> recorded(const char* slug, std::vector<recording::Index3> blocks,
                                                     uint32_t size = 128)
{
    const kernels::Job job = test::job(slug, {.M = size, .N = size, .K = size});
    return std::make_shared<recording::Recording>(test::record(job, blocks));
}

// The k-tiles are assigned to the four slices in turn. The first and the last block were recorded.
TEST(KTiles, SlicesTakeTurns)
{
    const auto r = recorded("split_k", {{0, 0, 0}, {0, 0, 3}});
    const std::vector<KTile> tiles = tiles_along_k(*r, r->blocks[0], 2);
    ASSERT_EQ(tiles.size(), 8u);
    EXPECT_EQ(tiles[0], (KTile{0, 16, 0, 0, true}));
    EXPECT_EQ(tiles[1], (KTile{16, 16, -1, 1, false}));
    EXPECT_EQ(tiles[4], (KTile{64, 16, 1, 0, true}));
    EXPECT_EQ(tiles[7], (KTile{112, 16, -1, 3, true}));
    EXPECT_TRUE(tiles_along_k(*r, r->blocks[0], 0).empty());
    EXPECT_EQ(number_in_slice(tiles, 1), 1u) << "the first of slice 1, as its block counts";
    EXPECT_EQ(number_in_slice(tiles, 7), 2u);
    EXPECT_EQ(slice_words(tiles), " of slice 0");
    EXPECT_EQ(slice_words(tiles_along_k(*r, r->blocks[1], 2)), " of slice 3");
}

TEST(KTiles, OneSliceIsAllOfK)
{
    const auto r = recorded("shared_tile", {{0, 0, 0}});
    const std::vector<KTile> tiles = tiles_along_k(*r, r->blocks[0], 4);
    ASSERT_EQ(tiles.size(), 4u);
    EXPECT_EQ(tiles[3], (KTile{96, 32, 3, 0, true}));
    EXPECT_EQ(number_in_slice(tiles, 3), 4u);
    EXPECT_EQ(slice_words(tiles), "");
}

// If the tile does not divide K, only the last k-tile is smaller. This is so for blocks at the edge, too.
TEST(KTiles, TheLastIsCutOff)
{
    const auto r = recorded("shared_tile", {{0, 0, 0}, {3, 0, 0}}, 100);
    for (const recording::BlockTrace& block : r->blocks) {
        const std::vector<KTile> tiles = tiles_along_k(*r, block, 4);
        ASSERT_EQ(tiles.size(), 4u);
        EXPECT_EQ(tiles[1].first, 32u);
        EXPECT_EQ(tiles[3], (KTile{96, 4, 3, 0, true}));
        EXPECT_EQ(BlockTiling(r, block).whole_tile(), (CellRect{0, 0, 32, 32}));
    }
}

std::optional<ThreadProduct> product_in(const char* slug)
{
    const auto r = recorded(slug, {{0, 0, 0}});
    return thread_product(BlockTiling(r, r->blocks[0]), 5, 128);
}

TEST(ThreadProduct, TellsInnerFromOuterProducts)
{
    const auto inner = product_in("naive"), outer = product_in("vectorized"), block = product_in("wmma");
    ASSERT_TRUE(inner && outer && block);
    EXPECT_EQ(inner->results(), 1u);
    EXPECT_EQ(inner->reads, 2);
    EXPECT_FALSE(inner->outer());
    EXPECT_EQ(outer->rows, 8u);
    EXPECT_EQ(outer->cols, 8u);
    EXPECT_EQ(outer->reads, 16);
    EXPECT_EQ(outer->reads, outer->outer_reads());
    EXPECT_TRUE(outer->outer());
    EXPECT_TRUE(block->of_block) << "its lanes read fragments for each other";
    EXPECT_EQ(block->reads, 128 + 128);
}

TEST(TileStates, FollowCopiesAndComputation)
{
    using Kind = PipelineBar::Kind;
    PipelineRole role;
    role.shown = 2;
    role.copies = {{{.kind = Kind::copy, .from = 0, .end = 2, .k_tile = 0, .step = 0},
                    {.kind = Kind::copy, .from = 4, .end = 6, .k_tile = 1, .step = 4}}};
    role.work = {{.kind = Kind::compute, .from = 3, .end = 4, .k_tile = 0, .step = 3},
                 {.kind = Kind::compute, .from = 6, .end = 8, .k_tile = 0, .step = 6}}; // goes on after the copy
    const Pipeline pipeline{.roles = {role}, .ticks = 8, .k_tiles = 2};
    using enum TileState;
    EXPECT_EQ(tile_states(pipeline, 1), (std::vector{copied, ahead}));
    EXPECT_EQ(tile_states(pipeline, 2), (std::vector{here, ahead}));
    EXPECT_EQ(tile_states(pipeline, 5), (std::vector{computed, copied}));
    EXPECT_EQ(tile_states(pipeline, 8), (std::vector{done, here}));
    EXPECT_EQ(step_of_tile(pipeline, 2, 0), 3u);
    EXPECT_EQ(step_of_tile(pipeline, 2, 1), 4u) << "no warp computes it, so this is its copy";
    EXPECT_EQ(step_of_tile(pipeline, 1, 0), std::nullopt);
}

} // namespace
