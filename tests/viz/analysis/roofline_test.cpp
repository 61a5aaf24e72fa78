// Intensities, ceilings and the lower bound of the run time, computed by hand.
#include "backend.h"
#include "tests/ladder.h"
#include "tests/viz/analysis/recordings.h"
#include "viz/analysis/roofline.h"

#include <gtest/gtest.h>

namespace {

using recording::Problem;
using test::record;

constexpr Problem cube(uint32_t n)
{
    return {.M = n, .N = n, .K = n};
}

// Per k, a warp of coalesced reads one sector of A and four of B for 64 operations. It writes four sectors of C.
TEST(Roofline, CoalescedAsItsSectorsSay)
{
    const viz::Traffic traffic = viz::traffic_of(record("coalesced", cube(64)));
    EXPECT_EQ(traffic.flops, 2.0 * 64 * 64 * 64);
    EXPECT_EQ(traffic.operand_bytes, 64.0 * 64 / 32 * 64 * 5 * 32);
    EXPECT_EQ(traffic.other_bytes, 64.0 * 64 * 4);
    EXPECT_TRUE(traffic.complete);
    // A result takes 2 K operations, 5 K bytes of A and B, and 4 bytes of C.
    EXPECT_DOUBLE_EQ(traffic.intensity_at(cube(64)), 2.0 * 64 / (5 * 64 + 4));
    EXPECT_DOUBLE_EQ(traffic.intensity_at(cube(4096)), 2.0 * 4096 / (5 * 4096 + 4));
    EXPECT_DOUBLE_EQ(traffic.bytes_at({.M = 32, .N = 64, .K = 10}), 32.0 * 64 * (50 + 4));
}

// The second kernel of split_k reads partial sums and not operands, so its traffic does not grow with K.
TEST(Roofline, SumsOfSplitKAreNoOperands)
{
    const viz::Traffic traffic = viz::traffic_of(record("split_k", cube(128)));
    EXPECT_EQ(traffic.operand_bytes, 2.0 * 128 * 128 * 4);
    EXPECT_GE(traffic.other_bytes, (4 + 4 + 1) * 128.0 * 128 * 4) << "four slices written and read, C written";
}

// Without a complete block it is not known which lines read A and B, and therefore which traffic grows with K.
TEST(Roofline, ABareRecordingOfSplitKIsNotScaled)
{
    const auto bare = [](const char* slug, float beta) {
        Problem problem = cube(128);
        problem.beta = beta;
        recording::Recording recording = record(slug, problem);
        recording.blocks.clear();
        return viz::traffic_of(recording);
    };
    EXPECT_TRUE(viz::traffic_of(record("split_k", cube(128))).told_apart);
    const viz::Traffic split = bare("split_k", 0);
    EXPECT_FALSE(split.told_apart);
    EXPECT_FALSE(viz::intensity_of(split, {}, cube(128)));
    EXPECT_TRUE(bare("vectorized", 0).told_apart) << "it reads nothing but A and B";
    EXPECT_EQ(bare("vectorized", 0).operand_bytes, viz::traffic_of(record("vectorized", cube(128))).operand_bytes);
    EXPECT_FALSE(bare("vectorized", 1).told_apart) << "it reads C too";
}

TEST(Roofline, VectorsAndCoordinates)
{
    const viz::Traffic vectors = viz::traffic_of(record("vector_add", {.N = 1024}));
    EXPECT_EQ(vectors.flops, 1024);
    EXPECT_DOUBLE_EQ(vectors.intensity_at({.N = 4096}), 1.0 / 12);
    EXPECT_FALSE(viz::reuse_tile(record("vector_add", {.N = 1024})));
    EXPECT_EQ(viz::traffic_of(record("thread_coords", {.M = 6, .N = 4})).flops, 0);
}

TEST(Roofline, TilesAreHeldByThreadsWarpsAndBlocks)
{
    using Holder = viz::ReuseTile::Holder;
    const auto tile = [](const char* slug) { return viz::reuse_tile(record(slug, cube(128))).value(); };
    EXPECT_EQ(tile("naive").holder, Holder::thread);
    EXPECT_EQ(tile("naive").intensity(), 0.25);
    EXPECT_EQ(tile("register_tile_2x2").intensity(), 0.5);
    EXPECT_EQ(tile("warp_shuffle").holder, Holder::warp);
    EXPECT_EQ(tile("shared_tile").holder, Holder::block);
    EXPECT_EQ(tile("shared_tile").intensity(), 8);
    EXPECT_EQ(tile("vectorized").rows, 128u);
    EXPECT_EQ(tile("vectorized").intensity(), 32);
    EXPECT_EQ(tile("mma_ldmatrix").element_bytes, 2u);
}

// The formula is used if the recording is smaller than the tile. It is also used if bulk copies load the operands,
// because these are not counted.
TEST(Roofline, TheFormulaStandsWhereARecordingCannotTell)
{
    const viz::Traffic traffic{.problem = cube(128), .flops = 4096, .operand_bytes = 1024, .other_bytes = 0};
    const viz::ReuseTile fits{viz::ReuseTile::Holder::block, 128, 128, 4},
        larger{viz::ReuseTile::Holder::block, 128, 256, 4};
    EXPECT_EQ(viz::intensity_of(traffic, fits, cube(128))->value, 4);
    EXPECT_TRUE(viz::intensity_of(traffic, fits, cube(128))->recorded);
    EXPECT_FALSE(viz::intensity_of(traffic, larger, cube(128))->recorded);
    EXPECT_DOUBLE_EQ(viz::intensity_of(traffic, larger, cube(128))->value, 128.0 * 256 / (2 * 384));
    viz::Traffic copied = traffic;
    copied.complete = false;
    EXPECT_EQ(viz::intensity_of(copied, fits, cube(128))->value, 32);
    EXPECT_FALSE(viz::intensity_of(copied, {}, cube(128)));
}

recording::GpuProperties h200()
{
    return {.name = "NVIDIA H200",
            .compute_capability = 90,
            .sm_count = 132,
            .clock_khz = 1980000,
            .memory_clock_khz = 3201000,
            .memory_bus_bits = 6016,
            .l2_bytes = 60 << 20,
            .fp32_gflops = 66908};
}

TEST(Roofline, CeilingsAreMeasuredOrTheoretical)
{
    const viz::Ceilings theory = viz::ceilings_of(h200(), nullptr);
    EXPECT_NEAR(theory.dram->value, 4814.3, 0.1);
    EXPECT_FALSE(theory.dram->measured);
    EXPECT_FALSE(theory.l2);
    EXPECT_EQ(theory.of_type("fp32")->value, 66908);
    EXPECT_NEAR(theory.of_type("bf16")->value, 132 * 4096 * 1.98, 0.1);
    EXPECT_NEAR(theory.of_type("tf32")->value, 132 * 2048 * 1.98, 0.1);
    EXPECT_EQ(theory.of_type("fp8"), nullptr);

    const recording::GpuMeasurement measured{
        .bandwidth = {{1 << 20, 9900}, {8 << 20, 9000}, {40 << 20, 9500}, {128 << 20, 5000}, {512 << 20, 4500}},
        .l1_bandwidth = recording::Bandwidth{65536, 30000},
        .shared_bandwidth = recording::Bandwidth{32768, 31000},
        .peaks = {{"fma", "fp32", 64000}, {"mma", "bf16", 600000}, {"wgmma", "bf16", 900000}, {"mma", "tf32", 300000}}};
    const viz::Ceilings real = viz::ceilings_of(h200(), &measured);
    EXPECT_EQ(real.dram->value, 4500) << "128 MiB can still come from L2 in part";
    EXPECT_TRUE(real.dram->measured);
    EXPECT_EQ(real.l2->value, 9000) << "40 MiB are more than half of L2, 1 MiB is read by neighbours together";
    EXPECT_EQ(real.l1->value, 30000);
    EXPECT_EQ(real.shared->value, 31000);
    EXPECT_FALSE(theory.shared) << "it does not follow from a clock";
    EXPECT_EQ(real.of_type("fp32")->value, 64000);
    EXPECT_EQ(real.of_type("bf16")->value, 900000) << "the faster instruction";
    EXPECT_FALSE(real.of_type("tf32")->measured) << "the measurement used an older TF32 instruction than Hopper's";
}

// 4096^3 on 66.9 TFLOPS and 4.8 TB/s: 2.05 ms of arithmetic, 42 us of bytes.
TEST(Roofline, TheFloorIsTheLargerOfBytesAndArithmetic)
{
    const viz::Ceiling memory{4800, true}, peak{66900, true};
    const viz::Floor large = viz::floor_of(cube(4096), 4, false, &memory, &peak);
    EXPECT_EQ(large.bytes, 3.0 * 4096 * 4096 * 4);
    EXPECT_NEAR(*large.arithmetic_ms, 2.0544, 1e-3);
    EXPECT_NEAR(*large.memory_ms, 0.04194, 1e-4);
    EXPECT_FALSE(large.memory_bound());
    EXPECT_EQ(large.least_ms(), large.arithmetic_ms);

    Problem thin{.M = 4096, .N = 1, .K = 4096, .alpha = 1, .beta = 1};
    const viz::Floor vector = viz::floor_of(thin, 4, false, &memory, &peak);
    EXPECT_EQ(vector.bytes, 4.0 * (4096 * 4096 + 4096 + 2 * 4096)) << "C is read too";
    EXPECT_TRUE(vector.memory_bound());
    EXPECT_FALSE(viz::floor_of(thin, 4, false, nullptr, &peak).least_ms());
    EXPECT_EQ(viz::floor_of({.N = 1000}, 4, true, &memory, &peak).bytes, 12000);
}

} // namespace
