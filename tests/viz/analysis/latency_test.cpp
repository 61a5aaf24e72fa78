// Bytes in flight per warp, and bytes in flight that a memory needs. The traces are counted by hand.
#include "viz/analysis/waits.h"

#include "tests/viz/analysis/recordings.h"

#include <gtest/gtest.h>

namespace {

using recording::Op;

uint32_t four_bytes(uint32_t lane)
{
    return 4 * lane;
}

uint32_t own_sector(uint32_t lane)
{
    return 32 * lane;
}

recording::Recording recording_of(std::vector<recording::Access> accesses)
{
    recording::Recording result;
    result.arrays = {array_of("A", recording::Space::global, 64, 64), array_of("As", recording::Space::shared, 8, 32)};
    result.blocks.push_back({.block = {}, .warps = {{std::move(accesses)}}});
    return result;
}

TEST(LoadsTogether, AreThoseWithNothingBetween)
{
    const recording::Access coalesced = access_of(Op::global_load, 0, 4, 1, four_bytes);
    const recording::Access scattered = access_of(Op::global_load, 0, 4, 2, own_sector);
    const recording::Access store = access_of(Op::shared_store, 1, 4, 3, four_bytes);
    const auto found = viz::most_loads_together(
        recording_of({coalesced, store, coalesced, scattered, store, barrier_at(4), coalesced, coalesced}));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->loads, 2u);
    EXPECT_EQ(found->bytes, 128u + 32 * 32) << "whole sectors are moved";
}

TEST(LoadsTogether, OfAsynchronousCopiesGoOnOverTheirCommits)
{
    const recording::Access read = access_of(Op::async_load, 0, 16, 1, [](uint32_t lane) { return 16 * lane; });
    const recording::Access write = access_of(Op::async_store, 1, 16, 1, [](uint32_t lane) { return 16 * lane; });
    recording::Access commit, wait;
    commit.op = Op::async_commit;
    wait.op = Op::async_wait;
    const auto found =
        viz::most_loads_together(recording_of({read, write, commit, read, write, commit, wait, read, write, commit}));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->loads, 2u) << "two stages before the first wait";
    EXPECT_EQ(found->bytes, 2u * 512);
}

TEST(LoadsTogether, AreNotKnownOfAStageWithoutSharedMemory)
{
    const recording::Access load = access_of(Op::global_load, 0, 4, 1, four_bytes);
    EXPECT_FALSE(viz::most_loads_together(recording_of({load, load, load})).has_value());
    EXPECT_FALSE(viz::most_loads_together(recording_of({})).has_value());
}

TEST(DramNeeds, AreLatencyTimesBandwidthOfTheLargestSizes)
{
    recording::GpuMeasurement measured;
    EXPECT_FALSE(viz::dram_needs(measured, 132).has_value());
    measured.latency = {{.bytes = 1024, .ns = 16, .cycles = 32}, {.bytes = 1u << 30, .ns = 300, .cycles = 600}};
    measured.bandwidth = {{.bytes = 1024, .gbps = 9000}, {.bytes = 1u << 30, .gbps = 4000}};
    const auto needs = viz::dram_needs(measured, 100);
    ASSERT_TRUE(needs.has_value());
    EXPECT_DOUBLE_EQ(needs->bytes_per_sm, 300.0 * 4000 / 100);
    EXPECT_FALSE(viz::dram_needs(measured, 0).has_value());
}

} // namespace
