// How often elements are read from global and shared memory, compared with the tiles of kernels.
#include "backend.h"
#include "recording/file.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "viz/analysis/reuse.h"

#include <gtest/gtest.h>

namespace {

using test::record;

TEST(Reuse, NaiveReadsEachElementOncePerResult)
{
    const recording::Recording recording = record("naive", {.M = 64, .N = 64, .K = 48});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    ASSERT_TRUE(reuse.has_value());
    EXPECT_EQ(reuse->operands[0].band, (viz::CellRect{0, 0, 32, 48}));
    EXPECT_EQ(reuse->operands[0].from_global(), 32);
    EXPECT_EQ(reuse->operands[1].from_global(), 32);
    EXPECT_EQ(reuse->operands[0].shared_reads, 0u);
    const viz::StepRange third = reuse->operands[0].global_steps[3]; // A(0, 3): each k takes two steps, A first
    EXPECT_EQ(third.first, 6u);
    EXPECT_EQ(third.last, 6u);
    EXPECT_TRUE(third.meets(5, 6));
    EXPECT_FALSE(third.meets(7, 9));
    EXPECT_FALSE(reuse->operands[0].shared_steps[3].meets(0, 1000));
    EXPECT_EQ(reuse->flops, 2u * 48 * 1024);
    EXPECT_DOUBLE_EQ(static_cast<double>(reuse->flops) / static_cast<double>(reuse->global_bytes), 0.25);
    EXPECT_EQ(viz::tile_intensity(reuse->reader_tile.rows, reuse->reader_tile.cols, 4), 0.25);
}

TEST(Reuse, ASharedTileIsReadOnceFromGlobalAndOftenFromShared)
{
    const recording::Recording recording = record("shared_tile", {.M = 64, .N = 64, .K = 96});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    for (const viz::OperandReuse& operand : reuse->operands) {
        EXPECT_EQ(operand.from_global(), 1);
        EXPECT_EQ(operand.from_shared(), 32);
        EXPECT_EQ(operand.most_shared, 32u);
    }
    EXPECT_EQ(reuse->unknown_reads, 0u);
    EXPECT_DOUBLE_EQ(static_cast<double>(reuse->flops) / static_cast<double>(reuse->global_bytes), 8);
    EXPECT_EQ(viz::tile_intensity(reuse->block_tile.rows, reuse->block_tile.cols, 4), 8);
}

// Thread 37 of vectorized is in column 5 and row 2 of 16 x 16 threads. Its results need rows 16 to 23 of A.
TEST(Reuse, KnowsWhichThreadsReadAnElement)
{
    const recording::Recording recording = record("vectorized", {.M = 128, .N = 128, .K = 16});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    const viz::OperandReuse &a = reuse->operands[0], &b = reuse->operands[1];
    const std::size_t of_a = a.index_of({17, 3}), of_b = b.index_of({3, 41});
    EXPECT_EQ(a.global_threads.count(of_a), 1u);
    EXPECT_EQ(a.shared_threads.count(of_a), 16u);
    for (uint32_t thread = 0; thread < 256; ++thread) {
        EXPECT_EQ(a.shared_threads.has(of_a, thread), thread / 16 == 2) << thread;
        EXPECT_EQ(b.shared_threads.has(of_b, thread), thread % 16 == 5) << thread;
    }
    EXPECT_DOUBLE_EQ(reuse->loads_per_product(true), viz::tile_loads(8, 8));
    EXPECT_DOUBLE_EQ(reuse->loads_per_product(false), viz::tile_loads(128, 128));
}

TEST(Reuse, EveryThreadOfARowReadsANaiveElementItself)
{
    const recording::Recording recording = record("naive", {.M = 64, .N = 64, .K = 48});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    const viz::OperandReuse& a = reuse->operands[0];
    EXPECT_EQ(a.global_threads.count(a.index_of({5, 7})), 32u);
    EXPECT_EQ(a.shared_threads.count(a.index_of({5, 7})), 0u);
    EXPECT_DOUBLE_EQ(reuse->loads_per_product(false), viz::tile_loads(1, 1));
}

TEST(Reuse, ThreadTilesReadSharedMemoryLess)
{
    const recording::Recording recording = record("vectorized", {.M = 128, .N = 128, .K = 16});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    EXPECT_EQ(reuse->operands[0].from_global(), 1);
    EXPECT_EQ(reuse->operands[0].from_shared(), 16); // 128 columns, 8 of them per thread
    EXPECT_EQ(reuse->operands[1].from_shared(), 16);
    EXPECT_EQ(reuse->reader_tile.rows, 8u);
    EXPECT_EQ(reuse->reader_tile.cols, 8u);
    EXPECT_DOUBLE_EQ(static_cast<double>(reuse->flops) / static_cast<double>(reuse->shared_bytes), 2);
    EXPECT_EQ(viz::tile_intensity(8, 8, 4), 2);
}

// In wmma, loading a fragment reads each of its elements once for the whole warp.
TEST(Reuse, TensorCoresReadForTheirWarp)
{
    const recording::Recording recording = record("wmma", {.M = 128, .N = 128, .K = 64});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    EXPECT_TRUE(reuse->tensor_cores);
    EXPECT_EQ(reuse->operands[0].from_global(), 1);
    EXPECT_EQ(reuse->operands[0].from_shared(), 128.0 / reuse->reader_tile.cols);
    EXPECT_EQ(reuse->operands[1].from_shared(), 128.0 / reuse->reader_tile.rows);
    EXPECT_DOUBLE_EQ(static_cast<double>(reuse->flops) / static_cast<double>(reuse->shared_bytes),
                     viz::tile_intensity(reuse->reader_tile.rows, reuse->reader_tile.cols, 2));
}

TEST(Reuse, ARaggedEdgeCountsOnlyWhatIsRead)
{
    const recording::Recording recording = record("shared_tile", {.M = 20, .N = 40, .K = 33});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    EXPECT_EQ(reuse->operands[0].band, (viz::CellRect{0, 0, 20, 33}));
    EXPECT_EQ(reuse->operands[0].from_global(), 1);
    EXPECT_EQ(reuse->operands[0].elements, 20u * 33);
    EXPECT_EQ(reuse->flops, 2u * 33 * 20 * 32);
}

TEST(Reuse, VectorsAreReadOnce)
{
    const recording::Recording recording = record("vector_add", {.M = 1, .N = 1000, .K = 1});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    ASSERT_TRUE(reuse.has_value());
    EXPECT_EQ(reuse->operands[0].from_global(), 1);
    EXPECT_EQ(reuse->flops, 128u);
    EXPECT_FALSE(viz::reuse_of(record("thread_coords", {.M = 6, .N = 4, .K = 1}), recording.blocks[0]).has_value());
}

// The last iteration also loads ahead one k of a tile that does not exist. These reads are in addition to the factors
// 16 and 8.
TEST(Reuse, CountsFragmentsReadAheadForNobody)
{
    const recording::Recording recording = record("fastest", {.M = 128, .N = 256, .K = 128});
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    ASSERT_TRUE(reuse.has_value());
    const auto& [a, b] = reuse->operands;
    const auto whole = [](const viz::OperandReuse& operand) {
        return static_cast<uint64_t>(operand.from_shared()) * operand.elements;
    };
    EXPECT_GT(reuse->surplus_reads, 0u);
    EXPECT_EQ(reuse->surplus_reads, a.shared_reads - whole(a) + b.shared_reads - whole(b));
    const recording::Recording other = record("async_copy", {.M = 128, .N = 128, .K = 64});
    EXPECT_EQ(viz::reuse_of(other, other.blocks[0])->surplus_reads, 0u);
}

// Recorded on an H200: a block of 256 x 128 with two warpgroups of 64 columns each.
TEST(Reuse, WhatTmaCopiesAndWgmmaReadsIsDerived)
{
    const recording::Recording recording = recording::read(test::shipped("wgmma_tma.gscope"));
    const auto reuse = viz::reuse_of(recording, recording.blocks[0]);
    ASSERT_TRUE(reuse.has_value());
    EXPECT_TRUE(reuse->derived);
    EXPECT_EQ(reuse->operands[0].band, (viz::CellRect{0, 0, 256, 512}));
    EXPECT_EQ(reuse->operands[0].from_global(), 1);
    EXPECT_EQ(reuse->operands[1].from_global(), 1);
    EXPECT_EQ(reuse->operands[0].from_shared(), 2) << "both warpgroups read all of A";
    EXPECT_EQ(reuse->operands[1].from_shared(), 1) << "and each its own columns of B";
    const recording::Recording plain = record("naive", {.M = 32, .N = 32, .K = 8});
    EXPECT_FALSE(viz::reuse_of(plain, plain.blocks[0])->derived);
}

// In whole sectors: a warp of naive reads a column of A, whose 32 sectors also contain the next seven k.
TEST(Reuse, TheWorkingSetIsWhatOneTileOfKTouches)
{
    const recording::Recording naive = record("naive", {.M = 64, .N = 64, .K = 64});
    const viz::WorkingSet plain = viz::reuse_of(naive, naive.blocks[0])->working_set;
    EXPECT_EQ(plain.k, 8u);
    EXPECT_EQ(plain.warp, 32u * 32 + 8 * 32) << "a sector of each row of A, one of each row of B";
    EXPECT_EQ(plain.block, 32u * 32 + 8 * 128);
    EXPECT_EQ(plain.tiles, 0u);
    EXPECT_EQ(plain.blocks, 0u) << "no driver was queried";
    const recording::Recording tiled = record("shared_tile", {.M = 64, .N = 64, .K = 64});
    const auto reuse = viz::reuse_of(tiled, tiled.blocks[0]);
    EXPECT_EQ(reuse->working_set.k, 32u);
    EXPECT_EQ(reuse->working_set.warp, 128u + 128);
    EXPECT_EQ(reuse->working_set.block, 2u * 32 * 128);
    EXPECT_EQ(reuse->working_set.tiles, 2u * 32 * 128);
    EXPECT_EQ(reuse->uses(reuse->operands[0]), 32);
}

// By hand: for each of 64 k, each of naive's 32 warps requests 32 sectors of A and one of B. shared_tile requests each
// sector once.
TEST(Reuse, WhatIsAskedForAgainIsThereOrWasEvicted)
{
    const recording::Recording naive = record("naive", {.M = 64, .N = 64, .K = 64});
    const viz::WorkingSet plain = viz::reuse_of(naive, naive.blocks[0])->working_set;
    EXPECT_EQ(plain.asked, 32u * 64 * 33);
    EXPECT_EQ(plain.distinct, 32u * 8 + 64 * 4);
    EXPECT_EQ(viz::reuse_in_l1(plain, 0.99), viz::L1Reuse::kept);
    EXPECT_EQ(viz::reuse_in_l1(plain, 0.5), viz::L1Reuse::evicted);
    const recording::Recording tiled = record("shared_tile", {.M = 64, .N = 64, .K = 64});
    const viz::WorkingSet once = viz::reuse_of(tiled, tiled.blocks[0])->working_set;
    EXPECT_EQ(once.asked, 512u);
    EXPECT_EQ(once.again(), 0);
    EXPECT_EQ(viz::reuse_in_l1(once, 0.1), viz::L1Reuse::nothing_again);
}

} // namespace
