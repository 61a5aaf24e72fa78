// Square tiles of C, compared with known sizes.
#include "viz/analysis/tile_sizes.h"

#include "tests/ladder.h"

#include "backend.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace viz;

const SmLimits of_h200 = *limits_of(90);

// One result per thread, and as many values of k as rows. A block of 32 x 32 has 1,024 threads, which is the maximum.
TEST(TileSizes, OfOneResultPerThreadEndWithTheThreads)
{
    const std::vector<TileSize> sizes = tile_sizes(of_h200, {.registers = 32});
    ASSERT_EQ(sizes.size(), 6u);
    EXPECT_EQ(sizes[0].side, 4u);
    EXPECT_EQ(sizes[0].threads, 16u);
    EXPECT_EQ(sizes[0].shared_bytes, 128u);
    EXPECT_EQ(sizes[0].blocks, 32u);
    EXPECT_EQ(sizes[0].limit, "blocks");
    EXPECT_EQ(sizes[3].side, 32u);
    EXPECT_EQ(sizes[3].shared_bytes, 8192u);
    EXPECT_DOUBLE_EQ(sizes[3].loads, 1.0 / 16);
    EXPECT_DOUBLE_EQ(sizes[3].intensity, 8);
    EXPECT_EQ(sizes[3].blocks, 2u);
    for (const std::size_t i : {4, 5}) {
        EXPECT_EQ(sizes[i].blocks, 0u);
        EXPECT_EQ(sizes[i].limit, "threads");
    }
    EXPECT_DOUBLE_EQ(sizes[5].intensity, 32) << "what it would be";
}

TEST(TileSizes, EndWithRegistersOrSharedMemory)
{
    const std::vector<TileSize> deep = tile_sizes(of_h200, {.results = 64, .k = 128, .buffers = 2, .registers = 128});
    EXPECT_EQ(deep[0].limit, "too few results for a thread") << "a tile of 16 elements has fewer";
    EXPECT_EQ(deep[5].shared_bytes, 2u * 128 * 128 * 4 * 2);
    EXPECT_EQ(deep[5].limit, "shared memory");
    EXPECT_EQ(deep[5].blocks, 0u);
    EXPECT_EQ(deep[4].limit, "shared memory");
    EXPECT_EQ(deep[4].blocks, 1u);
    EXPECT_EQ(tile_sizes(of_h200, {.results = 64, .k = 8, .registers = 128})[5].limit, "registers");
    EXPECT_EQ(tile_sizes(of_h200, {.results = 1, .registers = 255})[3].limit, "registers") << "cannot be launched";
    EXPECT_EQ(tile_sizes(of_h200, {.results = 1, .registers = 255})[3].blocks, 0u);
}

TileScheme scheme_of(const char* slug, const recording::Problem& problem)
{
    const kernels::Stage& stage = test::stage(slug);
    const recording::Recording recording = test::record({&stage, stage.standard_parameters(), problem});
    const auto reuse = reuse_of(recording, recording.blocks.at(0));
    return tile_scheme(recording, reuse.value(), 40);
}

TEST(TileSizes, KeepWhatAKernelHasOfAThread)
{
    EXPECT_EQ(scheme_of("vectorized", {.M = 128, .N = 128, .K = 16}),
              (TileScheme{.results = 64, .k = 8, .buffers = 1, .element_bytes = 4, .registers = 40}));
    EXPECT_EQ(scheme_of("shared_tile", {.M = 32, .N = 32, .K = 64}),
              (TileScheme{.results = 1, .k = 0, .buffers = 1, .element_bytes = 4, .registers = 40}));
    EXPECT_EQ(scheme_of("naive", {.M = 32, .N = 32, .K = 8}), TileScheme()) << "it has no tiles to keep";
}

} // namespace
