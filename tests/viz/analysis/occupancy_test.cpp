// The number of blocks per SM, compared with known cases.
#include "viz/analysis/occupancy.h"

#include "shipped_recordings.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

using viz::KernelNeeds;
using viz::Limit;

uint32_t allowed(const viz::Residency& result, Limit limit)
{
    return result.allowed[static_cast<std::size_t>(limit)];
}

// siboehm's worksheet for an A6000: with 1,024 threads, 37 registers and 8 KiB, threads and registers allow one block.
TEST(Occupancy, OneBlockOnAnA6000)
{
    const viz::Residency result = viz::residency(*viz::limits_of(86), {1024, 37, 8192});
    EXPECT_EQ(result.blocks, 1u);
    EXPECT_EQ(allowed(result, Limit::warps), 1u);
    EXPECT_EQ(allowed(result, Limit::registers), 1u);
    EXPECT_EQ(allowed(result, Limit::shared), 11u);
    EXPECT_NEAR(result.share, 32.0 / 48, 1e-12);
}

// A kernel with a tile of 128 x 128 x 8 and 256 threads has an occupancy of 25 % on an H200.
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
    // 80 registers: each of the four parts has room for 6 warps, 24 in all. 65,536 / 2,560 would be 25.
    EXPECT_EQ(allowed(viz::residency(h200, {32, 80, 0}), Limit::registers), 24u);
    EXPECT_EQ(viz::residency(h200, {256, 80, 0}).blocks, 3u);
    EXPECT_EQ(viz::registers_to_lose_a_block(h200, {256, 80, 0}), 1u);
    EXPECT_EQ(viz::registers_to_gain_a_block(h200, {256, 80, 0}), 16u); // with 64 registers four blocks fit
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
    EXPECT_EQ(shared.blocks, 3u); // 3 x (75 + 1) KiB are all shared memory
    EXPECT_EQ(viz::residency(h200, {128, 32, 75 * 1024 + 1}).blocks, 2u);
    EXPECT_EQ(viz::residency(h200, {100, 32, 0}).warps % 4, 0u); // a block of 100 threads is four warps
}

TEST(Occupancy, RefusesWhatCannotBeLaunched)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    EXPECT_EQ(viz::residency(h200, {1024, 65, 0}).refusal->id, "occupancy.block_refused");
    EXPECT_FALSE(viz::residency(h200, {1024, 64, 0}).refusal);
    // 21 warps of 96 registers fit into 65,536 registers, but not into four parts that hold 5 warps each.
    EXPECT_EQ(viz::residency(h200, {672, 96, 0}).refusal->id, "occupancy.block_refused");
    EXPECT_EQ(viz::residency(h200, {128, 32, 227 * 1024 + 1}).refusal,
              (viz::Message{"occupancy.shared_refused", {{"most", 232448}}}));
    EXPECT_TRUE(viz::residency(h200, {0, 32, 0}).refusal);
    EXPECT_TRUE(viz::residency(h200, {32, 256, 0}).refusal);
    EXPECT_FALSE(viz::limits_of(61).has_value());
}

TEST(Occupancy, TakesItsNeedsFromARecording)
{
    recording::Recording recording;
    recording.launch.block = {16, 16, 1};
    recording.arrays.resize(2);
    recording.arrays[1] = {.name = "As", .space = recording::Space::shared, .bytes = 4096};
    EXPECT_EQ(viz::needs_of(recording).shared_bytes, 4096u);
    recording.resources = recording::Resources{.registers_per_thread = 94, .shared_bytes_per_block = 8192};
    EXPECT_EQ(viz::needs_of(recording), (KernelNeeds{256, 94, 8192}));
}

// cuBLAS's SGEMM, traced in a program. 121 registers and 128 threads allow 4 blocks. The trace has no answer of the
// driver.
TEST(Occupancy, FollowsFromTheRestWhereTheDriverWasNotAsked)
{
    recording::Recording traced;
    traced.launch.block = {128, 1, 1};
    EXPECT_FALSE(viz::blocks_per_sm(traced)) << "no registers";
    traced.resources = recording::Resources{.registers_per_thread = 121, .shared_bytes_per_block = 12672};
    EXPECT_FALSE(viz::blocks_per_sm(traced)) << "no GPU";
    EXPECT_FALSE(viz::occupancy(traced));
    traced.device.compute_capability = 90;
    EXPECT_EQ(viz::blocks_per_sm(traced).value(), 4u);
    EXPECT_DOUBLE_EQ(viz::occupancy(traced).value().value_or(0), 0.25);
    traced.resources->blocks_per_sm = 3;
    EXPECT_EQ(viz::blocks_per_sm(traced).value(), 3u) << "the driver's value has priority";
}

// 256 threads with unknown registers. Warps allow 8 blocks, and 100 KiB of shared memory allow only 2.
TEST(Occupancy, OtherLimitsBoundWhatNobodyKnowsTheRegistersOf)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    EXPECT_EQ(viz::residency_without_registers(h200, {256, 0, 8192}).warps, 64u);
    EXPECT_EQ(viz::residency_without_registers(h200, {256, 0, 100 * 1024}).warps, 16u);
    EXPECT_FALSE(viz::residency_without_registers(h200, {256, 0, 8192}).refusal);
    EXPECT_TRUE(viz::residency(h200, {256, 0, 8192}).refusal) << "0 is no number of registers";
}

// Recordings contain the driver's number of blocks per SM of an H200 for each stage.
TEST(Occupancy, EqualsTheDriversAnswerForEveryRung)
{
    std::size_t compared = 0;
    for_each_shipped([&](const std::filesystem::path& file, const recording::Recording& recording) {
        if (!recording.resources || recording.device.backend != "cuda" ||
            recording.executed) // without an answer of the driver
            return;
        const auto limits = viz::limits_of(recording.device.compute_capability);
        ASSERT_TRUE(limits) << file;
        EXPECT_EQ(viz::residency(*limits, viz::needs_of(recording)).blocks, recording.resources->blocks_per_sm) << file;
        ++compared;
    });
    EXPECT_GE(compared, 20u);
}

} // namespace

#ifdef GEMMSCOPE_CUDA_TOOLKIT

#include <cuda_occupancy.h>

namespace {

// Returns the number of blocks by the toolkit's calculator, which follows the driver's rules.
uint32_t blocks_by_the_toolkit(const viz::SmLimits& limits, const KernelNeeds& needs)
{
    cudaOccDeviceProp gpu;
    gpu.computeMajor = static_cast<int>(limits.compute_capability / 10);
    gpu.computeMinor = static_cast<int>(limits.compute_capability % 10);
    gpu.maxThreadsPerBlock = viz::most_threads;
    gpu.maxThreadsPerMultiprocessor = static_cast<int>(limits.warps * recording::warp_size);
    gpu.regsPerBlock = gpu.regsPerMultiprocessor = static_cast<int>(limits.registers);
    gpu.warpSize = recording::warp_size;
    gpu.sharedMemPerBlock = 48 * 1024;
    gpu.sharedMemPerMultiprocessor = limits.shared_bytes;
    gpu.numSms = 132;
    gpu.sharedMemPerBlockOptin = limits.most_shared_per_block();
    gpu.reservedSharedMemPerBlock = limits.shared_reserved;
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = viz::most_threads;
    kernel.numRegs = static_cast<int>(needs.registers);
    kernel.sharedSizeBytes = 0;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = limits.most_shared_per_block();
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &gpu, &kernel, &state, static_cast<int>(needs.threads),
                                                needs.shared_bytes) != CUDA_OCC_SUCCESS)
        return 0;
    return static_cast<uint32_t>(result.activeBlocksPerMultiprocessor);
}

TEST(Occupancy, EqualsTheToolkitsCalculator)
{
    for (const uint32_t capability : {80u, 86u, 89u, 90u})
        for (uint32_t threads = 32; threads <= viz::most_threads; threads += 32)
            for (uint32_t registers = 16; registers <= viz::most_registers; registers += 7)
                for (const uint32_t shared : {0u, 1u, 8192u, 33000u, 65536u, 100000u, 200000u}) {
                    const viz::SmLimits limits = *viz::limits_of(capability);
                    const KernelNeeds needs{threads, registers, shared};
                    ASSERT_EQ(viz::residency(limits, needs).blocks, blocks_by_the_toolkit(limits, needs))
                        << "sm_" << capability << ", " << threads << " threads, " << registers << " registers, "
                        << shared << " bytes";
                }
}

// The values of the view's bars. Two blocks of 32,768 registers fill the register file, and a third does not fit.
TEST(Occupancy, SaysHowEachLimitIsUsedUp)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    const KernelNeeds needs{256, 123, 8192};
    const viz::Residency now = viz::residency(h200, needs);
    const viz::LimitUse registers = viz::use_of(h200, needs, Limit::registers);
    EXPECT_EQ(registers.per_block, 32768u);
    EXPECT_EQ(registers.used(now), 65536u);
    EXPECT_FALSE(registers.next_fits(now));
    const viz::LimitUse shared = viz::use_of(h200, needs, Limit::shared);
    EXPECT_EQ(shared.per_block, 8192u + 1024u);
    EXPECT_TRUE(shared.next_fits(now));
    // 144 registers per thread are 4,608 per warp. Each part of 16,384 has room for 3 warps, and cannot use the rest.
    EXPECT_EQ(viz::use_of(h200, {32, 144, 0}, Limit::registers).usable, 12u * 4608);
    EXPECT_FALSE(viz::use_of(h200, {32, 144, 0}, Limit::registers).next_fits(viz::residency(h200, {32, 144, 0})));
}

TEST(Occupancy, SharedMemoryToGainABlock)
{
    const viz::SmLimits h200 = *viz::limits_of(90);
    const uint32_t shared = 100 * 1024; // two blocks fit; three fit with 228 KiB / 3 - 1 KiB each
    EXPECT_EQ(viz::shared_to_gain_a_block(h200, {256, 32, shared}), shared - 75 * 1024);
    EXPECT_FALSE(viz::shared_to_gain_a_block(h200, {256, 123, shared}).has_value()) << "registers limit, too";
}

TEST(Occupancy, DealsWarpsToSchedulersInTurn)
{
    const viz::Residency now = viz::residency(*viz::limits_of(90), {256, 123, 8192});
    const auto schedulers = viz::warps_of_schedulers(now);
    EXPECT_EQ(schedulers[1], (std::vector<viz::ResidentWarp>{{0, 1}, {0, 5}, {1, 1}, {1, 5}}));
    EXPECT_TRUE(viz::warps_of_schedulers({})[0].empty());
}

} // namespace

#endif
