// Every stage on the CPU backend: verified against float64, and with recordings as derived by hand or measured.
#include "gemm/inputs.h"
#include "measure/speed.h"
#include "tests/ladder.h"
#include "tests/says.h"
#include "traced/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace {

using kernels::Job;
using kernels::Stage;
using recording::Totals;
using test::says;

class EveryRung : public testing::TestWithParam<std::string> {};

// The other stages cannot run on the CPU.
INSTANTIATE_TEST_SUITE_P(Ladder, EveryRung, testing::ValuesIn(test::slugs([](const kernels::Stage& stage) {
                             return stage.only_compute_capability == 0;
                         })),
                         [](const auto& rung) { return rung.param; });

TEST_P(EveryRung, IsRightAtRaggedSizes)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    const uint32_t sizes[][3] = {{1, 1, 1},   {2, 3, 5},    {17, 17, 17}, {31, 32, 33},    {33, 31, 1},
                                 {65, 63, 9}, {127, 7, 64}, {1, 129, 40}, {128, 128, 128}, {129, 127, 130}};
    for (const auto& [M, N, K] : sizes)
        for (const auto& [alpha, beta] :
             {std::pair{1.0f, 0.0f}, {-0.5f, 3.0f}, {0.0f, 1.0f}, {0.0f, 0.0f}, {3.0f, -0.5f}}) {
            const kernels::Verification result =
                kernels::verify(*backend, test::job(GetParam(), {M, N, K, alpha, beta}), kernels::ProbeKind::none, {});
            EXPECT_TRUE(result.ok) << M << "x" << N << "x" << K << " alpha " << alpha << " beta " << beta << ": error "
                                   << result.error;
        }
}

TEST(LadderTest, SaysOnWhichGpuARungRunsOnly)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    const Stage& stage = test::stage("wgmma_tma");
    const Job job{&stage, stage.standard_parameters(), {64, 64, 64, 1.0f, 0.0f}};
    EXPECT_TRUE(
        says(test::refusal<kernels::Unavailable>([&] { kernels::verify(*backend, job, kernels::ProbeKind::none, {}); }),
             "compute capability 9.0 only"));
    EXPECT_EQ(kernels::missing_on({.backend = "cuda", .name = "H", .compute_capability = 90}, stage), "");
    EXPECT_NE(kernels::missing_on({.backend = "cuda", .name = "B", .compute_capability = 100}, stage), "");
}

TEST_P(EveryRung, IsRightWithEveryDeclaredParameterSet)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    const Stage& stage = test::stage(GetParam());
    for (const kernels::ParameterValues& variant : stage.cpu_variants) {
        EXPECT_EQ(stage.refusal(variant), "");
        const Job one{&stage, variant, {67, 131, 37, 2.0f, 0.5f}};
        EXPECT_TRUE(kernels::verify(*backend, one, kernels::ProbeKind::none, {}).ok);
    }
}

TEST_P(EveryRung, GivesTheSameBitsWithAndWithoutTheProbe)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    const Job one = test::job(GetParam(), {65, 130, 33, 0.75f, -2.0f});
    const kernels::Operands operands = kernels::input_operands(one.stage->operation, one.problem, 3);
    kernels::Operands plain = operands, traced = operands;
    backend->run(one, kernels::ProbeKind::none, plain, {});
    backend->run(one, kernels::ProbeKind::record, traced, {});
    EXPECT_EQ(std::memcmp(plain.C.data(), traced.C.data(), plain.C.size() * sizeof(float)), 0);
}

TEST_P(EveryRung, WritesEveryElementOnceAndNoBlockOutsideTheGrid)
{
    const recording::Recording r = test::record(GetParam(), {70, 130, 9});
    for (const uint32_t owner : r.owner)
        ASSERT_LT(owner, r.launch.grid.volume() * r.launch.threads_per_block());
    const Totals totals = r.totals();
    EXPECT_GE(totals.global_store.sectors * 32, r.owner.size() * sizeof(float));
}

TEST_P(EveryRung, CountsTheWholeLaunchAsItsBlocksRecordedInFull)
{
    const Job one = test::job(GetParam(), {70, 130, 20, 1.0f, 2.0f});
    const recording::Index3 grid = one.stage->launch(one.parameters, one.problem).grid;
    std::vector<recording::Index3> all;
    for (uint32_t z = 0; z < grid.z; ++z)
        for (uint32_t y = 0; y < grid.y; ++y)
            for (uint32_t x = 0; x < grid.x; ++x)
                all.push_back({x, y, z});
    recording::Recording r = test::record(one, all);
    traced::Recorder recount(r.launch, r.arrays[2], {});
    traced::Recorder::Counts counts;
    for (std::size_t block = 0; block < r.blocks.size(); ++block)
        for (uint32_t warp = 0; warp < r.blocks[block].warps.size(); ++warp)
            recount.take(block, warp, r.blocks[block].warps[warp].accesses, counts);
    recount.merge(counts);
    recording::Recording again;
    recount.finish(again);
    if (one.stage->second) // counted, but none of its blocks is recorded
        std::erase_if(r.lines, [&again](const recording::LineTotals& line) {
            return std::none_of(again.lines.begin(), again.lines.end(),
                                [&line](const auto& other) { return other.line == line.line; });
        });
    EXPECT_EQ(again.lines, r.lines);
    EXPECT_EQ(again.owner, r.owner);
}

TEST_P(EveryRung, IsStoppedOnRequest)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(kernels::make_cpu_backend()->record(test::job(GetParam(), {64, 64, 64}), {}, stop.get_token()),
                 kernels::Cancelled);
}

// The counters of an NVIDIA H200 at 128^3 for kernels with the same access pattern.
TEST(Recorded, VectorizedEqualsTheCountersOfItsPublicAncestor)
{
    const Totals t = test::record("vectorized", {128, 128, 128}).totals();
    EXPECT_EQ(t.shared_load, (recording::SharedTotals{4096, 20480, 8192}));
    EXPECT_EQ(t.shared_store, (recording::SharedTotals{640, 1536, 512}));
}

TEST(Recorded, PaddedAFreesTheStoresOnly)
{
    const Totals t = test::record("padded_a", {128, 128, 128}).totals();
    EXPECT_EQ(t.shared_load, (recording::SharedTotals{4096, 20480, 8192}));
    EXPECT_EQ(t.shared_store.conflicts, 0u);
}

TEST(Recorded, SwizzledHasNoConflicts)
{
    const Totals t = test::record("swizzled", {128, 128, 128}).totals();
    EXPECT_EQ(t.shared_load, (recording::SharedTotals{4096, 12288, 0}));
    EXPECT_EQ(t.shared_store, (recording::SharedTotals{640, 1024, 0}));
    const Stage& stage = test::stage("swizzled");
    for (const kernels::ParameterValues& variant : stage.cpu_variants) {
        const Totals other = test::record({&stage, variant, {128, 128, 128}}).totals();
        EXPECT_EQ(other.shared_load.conflicts + other.shared_store.conflicts, 0u) << "BM " << variant[0];
    }
}

TEST(Recorded, LinearizedBTradesConflictsForInstructions)
{
    const Totals t = test::record("linearized_b", {128, 128, 128}).totals();
    EXPECT_EQ(t.shared_load, (recording::SharedTotals{10240, 12288, 0}));
    EXPECT_EQ(t.shared_store, (recording::SharedTotals{1024, 2048, 1024}));
}

TEST(Recorded, PaddedBTriplesTheLoadConflicts)
{
    const recording::Recording r = test::record("padded_b", {128, 128, 128});
    const Totals t = r.totals();
    EXPECT_EQ(r.arrays.at(4).offset_of(1, 0), 133u * 4) << "the padding does not change the conflicts within a row";
    EXPECT_EQ(t.shared_load, (recording::SharedTotals{10240, 36864, 24576}));
    EXPECT_EQ(t.shared_store, (recording::SharedTotals{1024, 3072, 2048}));
}

TEST(Recorded, WarpTileIsFreeOfConflicts)
{
    const Totals t = test::record("warp_tile", {128, 128, 128}).totals();
    EXPECT_EQ(t.shared_load, (recording::SharedTotals{3072, 10240, 0}));
    EXPECT_EQ(t.shared_store, (recording::SharedTotals{640, 512 + 128 * 4, 0})); // A in 4 bytes, B in 16
}

TEST(Recorded, ThreadTilesReadLessPerResult)
{
    // 16,384 results, K = 128, 32 lanes: 9K/8 reads per result for eight in a column, K/4 for 8 x 8.
    EXPECT_EQ(test::record("thread_tile_1d", {128, 128, 128}).totals().shared_load.instructions, 16384u * 144 / 32);
    EXPECT_EQ(test::record("thread_tile_2d_registers", {128, 128, 128}).totals().shared_load.instructions,
              16384u * 32 / 32);
    // As written, 2K for every result; 8 x 8 results share two rows of A and 16 columns of B per warp.
    EXPECT_EQ(test::record("thread_tile_2d", {128, 128, 128}).totals().shared_load.instructions, 16384u * 256 / 32);
}

TEST(Recorded, SwizzledReadsHelpOnlyAmongTheLanesOfAWarp)
{
    // The default's key is a row of threads: the counts are those of vectorized, line for line.
    const Totals rows = test::record("swizzled_reads", {128, 128, 128}).totals();
    const Totals vectorized = test::record("vectorized", {128, 128, 128}).totals();
    EXPECT_EQ(rows.shared_load, vectorized.shared_load);
    EXPECT_EQ(rows.shared_store, vectorized.shared_store);
    EXPECT_EQ(rows.shared_load.conflicts, 8192u);
    // With a key that differs within eight lanes, the loads' conflicts are gone; the stores' stay.
    const Totals lanes = test::record(test::job("swizzled_reads", {128, 128, 128}, {"KEY=2"})).totals();
    EXPECT_EQ(lanes.shared_load, (recording::SharedTotals{4096, 12288, 0}));
    EXPECT_EQ(lanes.shared_store, vectorized.shared_store);
}

TEST(Recorded, NaiveTouchesAWholeRowPerLane)
{
    // 512 warps, 128 steps of k each: A 32 sectors, B one.
    const Totals t = test::record("naive", {128, 128, 128}).totals();
    EXPECT_EQ(t.global_load, (recording::GlobalTotals{2 * 512 * 128, 512 * 128 * (32 + 1)}));
    EXPECT_EQ(t.global_store, (recording::GlobalTotals{512, 512 * 32}));
}

TEST(Recorded, CoalescedTouchesOneLinePerWarp)
{
    const Totals t = test::record("coalesced", {128, 128, 128}).totals();
    EXPECT_EQ(t.global_load, (recording::GlobalTotals{2 * 512 * 128, 512 * 128 * (1 + 4)}));
    EXPECT_EQ(t.global_store, (recording::GlobalTotals{512, 512 * 4}));
}

TEST(Recorded, StridedBWalksAlongColumnsThatAreStoredApart)
{
    // 512 warps of 2 rows x 16 columns: per k 2 sectors of A (one per row), 16 of B; C in 2 pieces of 64 bytes.
    const recording::Recording r = test::record("strided_b", {128, 128, 128});
    const Totals t = r.totals();
    EXPECT_EQ(t.global_load, (recording::GlobalTotals{2 * 512 * 128, 512 * 128 * (2 + 16)}));
    EXPECT_EQ(t.global_store, (recording::GlobalTotals{512, 512 * 4}));
    // Lane 5 of the first warp reads B(0, 5), which lies after five columns of K.
    const recording::Access& of_b = r.blocks.at(0).warps.at(0).accesses.at(1);
    EXPECT_EQ(of_b.array, 1);
    EXPECT_EQ(of_b.offset[5], 5u * 128 * 4);
    EXPECT_EQ(r.arrays[1].offset_of(0, 5), of_b.offset[5]);
}

TEST(Recorded, VectorAddHasTwentyFourSurplusThreads)
{
    const recording::Recording r = test::record("vector_add", {1, 1000, 1}, {{7, 0, 0}});
    EXPECT_EQ(r.launch.grid.x, 8u);
    ASSERT_EQ(r.blocks.size(), 1u);
    ASSERT_EQ(r.blocks[0].warps.size(), 4u);
    EXPECT_EQ(r.blocks[0].warps[2].accesses.at(0).mask, ~0u);
    EXPECT_EQ(r.blocks[0].warps[3].accesses.at(0).mask, 0xffu); // elements 992..999
    EXPECT_EQ(r.owner.at(999), 999u);
}

TEST(Recorded, ThreadCoordsCountsBlocksOfTwoByTwo)
{
    const recording::Recording r = test::record("thread_coords", {6, 4, 1}, {{1, 2, 0}});
    EXPECT_EQ(r.launch, (recording::Launch{{2, 3, 1}, {2, 2, 1}}));
    // Row 2, column 3: block (1,1), the third of six, and in it thread (1,0).
    EXPECT_EQ(r.owner.at(2 * 4 + 3), 3u * 4 + 1);
    const std::vector<recording::Access>& accesses = r.blocks.at(0).warps.at(0).accesses;
    ASSERT_EQ(accesses.size(), 1u);
    EXPECT_EQ(accesses[0].mask, 0xfu); // four threads, one warp
    EXPECT_EQ(accesses[0].width, 8);
    // Rows 4 and 5, columns 2 and 3, 8 bytes each, 4 columns.
    const std::array<uint32_t, 4> offsets = {(4 * 4 + 2) * 8, (4 * 4 + 3) * 8, (5 * 4 + 2) * 8, (5 * 4 + 3) * 8};
    EXPECT_TRUE(std::equal(offsets.begin(), offsets.end(), accesses[0].offset.begin()));
    EXPECT_TRUE(r.arrays[0].rows == 0 && r.arrays[1].rows == 0);
}

TEST(Recorded, ThreadCoordsWritesColumnThenRow)
{
    const Job one = test::job("thread_coords", {3, 5, 1}, {"width=5", "height=7"}); // one block, its last rows surplus
    kernels::Operands operands{{}, {}, std::vector<float>(2 * 15, -1.0f)};
    kernels::make_cpu_backend()->run(one, kernels::ProbeKind::none, operands, {});
    EXPECT_EQ(operands.C[2 * (2 * 5 + 4)], 4.0f);
    EXPECT_EQ(operands.C[2 * (2 * 5 + 4) + 1], 2.0f);
    operands.C.back() += 1;
    const std::vector<double> right = kernels::cpu_reference(one.stage->operation, one.problem, operands, {});
    EXPECT_GT(kernels::relative_error(operands.C, right), kernels::tolerance(one));
}

TEST(Recorded, SharedTileAlternatesLoadBarrierComputeBarrier)
{
    const recording::Recording r = test::record("shared_tile", {64, 64, 64});
    const std::vector<recording::Access>& accesses = r.blocks.at(0).warps.at(0).accesses;
    // Two phases of: 2 global loads and 2 shared stores, barrier, 64 shared loads, barrier; then the store of C.
    ASSERT_EQ(accesses.size(), 2u * (4 + 1 + 64 + 1) + 1);
    EXPECT_EQ(accesses[4].op, recording::Op::barrier);
    EXPECT_EQ(accesses[69].op, recording::Op::barrier);
    EXPECT_EQ(accesses.back().op, recording::Op::global_store);
}

TEST(Engine, NaNInTheOutputIsNeverRight)
{
    const std::vector<float> c = {1.0f, std::numeric_limits<float>::quiet_NaN()};
    const std::vector<double> reference = {1.0, 2.0};
    EXPECT_FALSE(kernels::relative_error(c, reference) <= 1e30);
}

TEST(Engine, OneWrongElementExceedsTheTolerance)
{
    const recording::Problem problem{256, 256, 4096};
    const std::vector<double> reference(256 * 256, 36.0);
    std::vector<float> c(reference.begin(), reference.end());
    EXPECT_EQ(kernels::relative_error(c, reference), 0.0);
    c[77] -= 1; // about one product of 4096
    EXPECT_GT(kernels::relative_error(c, reference), kernels::tolerance(kernels::Operation::gemm, problem));
}

TEST(Stages, RefuseParametersInASentence)
{
    const Stage& stage = test::stage("vectorized");
    EXPECT_THROW(kernels::parse_parameters(stage, {"BM=100"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"BM"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"BM=64x"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"BM=0"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"TM=-4"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"BM=1073741824", "TM=268435456", "BK=4", "BN=32", "TN=32"}),
                 kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"WM=64"}), kernels::Error);
    EXPECT_THROW(test::stage("vectorised"), kernels::Error);
    EXPECT_EQ(kernels::parse_parameters(stage, {"BM=64", "BN=64"})[0], 64);
}

TEST(CpuBackend, NamesTheParametersItWasCompiledFor)
{
    const kernels::Job one = test::job("vectorized", {128, 128, 128}, {"BK=32"});
    EXPECT_TRUE(says(test::refusal([&] { test::record(one); }), "BM=64 BN=64"));
}

} // namespace
