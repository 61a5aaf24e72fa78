// How many blocks fit on an SM, against cases that are known.
#include "viz/analysis/occupancy.h"

#include <gtest/gtest.h>

namespace {

using viz::KernelNeeds;
using viz::Limit;

uint32_t allowed(const viz::Residency& result, Limit limit)
{
    return result.allowed[static_cast<std::size_t>(limit)];
}

// siboehm's worksheet for an A6000: 1,024 threads, 37 registers, 8 KiB: one block, by threads and by registers.
TEST(Occupancy, OneBlockOnAnA6000)
{
    const viz::Residency result = viz::residency(*viz::limits_of(86), {1024, 37, 8192});
    EXPECT_EQ(result.blocks, 1u);
    EXPECT_EQ(allowed(result, Limit::warps), 1u);
    EXPECT_EQ(allowed(result, Limit::registers), 1u);
    EXPECT_EQ(allowed(result, Limit::shared), 11u);
    EXPECT_NEAR(result.share, 32.0 / 48, 1e-12);
}

// A 128 x 128 x 8 tile of 256 threads: 25 % on an H200.
TEST(Occupancy, RegistersLimitATiledKernelOnAnH200)
{
    const viz::Residency result = viz::residency(*viz::limits_of(90), {256, 105, 8192});
    EXPECT_EQ(result.blocks, 2u);
    EXPECT_TRUE(result.limited_by(Limit::registers));
    EXPECT_FALSE(result.limited_by(Limit::shared));
    EXPECT_EQ(allowed(result, Limit::shared), 25u);
    EXPECT_DOUBLE_EQ(result.share, 0.25);
}

TEST(Occupancy, RegistersComeInUnitsAndParts)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    EXPECT_EQ(viz::registers_of_warp(h200, 97), 104u * 32);
    EXPECT_EQ(viz::registers_of_warp(h200, 104), 104u * 32);
    EXPECT_EQ(viz::registers_of_warp(h200, 105), 112u * 32);
    // 80 registers: 6 warps in each of the four parts, 24 in all, where 65,536 / 2,560 would be 25.
    EXPECT_EQ(allowed(viz::residency(h200, {32, 80, 0}), Limit::registers), 24u);
    EXPECT_EQ(viz::residency(h200, {256, 80, 0}).blocks, 3u);
    EXPECT_EQ(viz::registers_to_lose_a_block(h200, {256, 80, 0}), 1u);
    EXPECT_EQ(viz::registers_to_gain_a_block(h200, {256, 80, 0}), 16u); // 64: four blocks
    EXPECT_FALSE(viz::registers_to_gain_a_block(h200, {256, 16, 100 * 1024}).has_value());
}

TEST(Occupancy, WarpsBlocksAndSharedMemoryLimitToo)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    EXPECT_TRUE(viz::residency(h200, {32, 16, 0}).limited_by(Limit::blocks));
    EXPECT_EQ(viz::residency(h200, {32, 16, 0}).blocks, 32u);
    EXPECT_TRUE(viz::residency(h200, {1024, 32, 0}).limited_by(Limit::warps));
    EXPECT_DOUBLE_EQ(viz::residency(h200, {1024, 32, 0}).share, 1);
    const viz::Residency shared = viz::residency(h200, {128, 32, 75 * 1024});
    EXPECT_TRUE(shared.limited_by(Limit::shared));
    EXPECT_EQ(shared.blocks, 3u); // 3 x (75 + 1) KiB are all there is
    EXPECT_EQ(viz::residency(h200, {128, 32, 75 * 1024 + 1}).blocks, 2u);
    EXPECT_EQ(viz::residency(h200, {100, 32, 0}).warps % 4, 0u); // a block of 100 threads is four warps
}

TEST(Occupancy, RefusesWhatCannotBeLaunched)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    EXPECT_NE(viz::residency(h200, {1024, 65, 0}).refusal.find("not even one block"), std::string::npos);
    EXPECT_EQ(viz::residency(h200, {1024, 64, 0}).refusal, "");
    // 21 warps of 96 registers would fit into the whole, but not into four parts of 5 warps.
    EXPECT_NE(viz::residency(h200, {672, 96, 0}).refusal.find("not even one block"), std::string::npos);
    EXPECT_NE(viz::residency(h200, {128, 32, 227 * 1024 + 1}).refusal.find("232,448"), std::string::npos);
    EXPECT_FALSE(viz::residency(h200, {0, 32, 0}).refusal.empty());
    EXPECT_FALSE(viz::residency(h200, {32, 256, 0}).refusal.empty());
    EXPECT_FALSE(viz::limits_of(61).has_value());
}

TEST(Occupancy, TakesItsNeedsFromARecording)
{
    recording::Recording recording;
    recording.launch.block = {16, 16, 1};
    recording.arrays.resize(2);
    recording.arrays[1] = {.name = "As", .space = recording::Space::shared, .bytes = 4096};
    EXPECT_EQ(viz::needs_of(recording).needs.shared_bytes, 4096u);
    EXPECT_FALSE(viz::needs_of(recording).registers_known);
    recording.resources = recording::Resources{.registers_per_thread = 94, .shared_bytes_per_block = 8192};
    EXPECT_EQ(viz::needs_of(recording).needs, (KernelNeeds{256, 94, 8192}));
    EXPECT_TRUE(viz::needs_of(recording).registers_known);
}

} // namespace
