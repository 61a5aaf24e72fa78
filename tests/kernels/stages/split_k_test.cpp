// Tests split_k: each slice's work and the cost of the reduction, derived by hand for tiles of 64 x 64 and four warps.
#include "measure/speed.h"
#include "stage.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using recording::Access;
using recording::Op;

constexpr int workspace = 5; // after A, B, C, As and Bs

kernels::Job small_tiles(int split, recording::Problem problem)
{
    const kernels::Stage& stage = test::stage("split_k");
    return {&stage,
            kernels::parse_parameters(stage, {"BM=64", "BN=64", "WM=32", "WN=32", "WNITER=2", "TM=4", "TN=4",
                                              "SPLIT=" + std::to_string(split)}),
            problem};
}

const std::vector<Access>& first_warp(const recording::Recording& recording, std::size_t block)
{
    return recording.blocks.at(block).warps.at(0).accesses;
}

// Returns the column of A that lane 0 fetches in each phase; A has rows of K floats.
std::vector<uint32_t> slices_fetched(const std::vector<Access>& steps)
{
    std::vector<uint32_t> columns;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].array == 0 && steps[i].op == Op::global_load && (i == 0 || steps[i - 1].op == Op::barrier))
            columns.push_back(steps[i].offset[0] / 4);
    return columns;
}

long steps_to(const std::vector<Access>& steps, Op op, int array)
{
    return std::count_if(steps.begin(), steps.end(),
                         [&](const Access& access) { return access.op == op && access.array == array; });
}

TEST(SplitK, SlicesTakePhasesInTurn)
{
    const recording::Recording r = test::record(small_tiles(2, {64, 64, 80}), {{0, 0, 0}, {0, 0, 1}});
    EXPECT_EQ(r.launch, (recording::Launch{{1, 1, 2}, {128, 1, 1}}));
    EXPECT_EQ(slices_fetched(first_warp(r, 0)), (std::vector<uint32_t>{0, 32, 64}));
    EXPECT_EQ(slices_fetched(first_warp(r, 1)), (std::vector<uint32_t>{16, 48}));
    // A phase has 4 global loads, 10 shared stores, a barrier, 16 times 3 shared loads, and a barrier. At the end, 8
    // stores.
    EXPECT_EQ(first_warp(r, 0).size(), 3u * 64 + 8);
    EXPECT_EQ(first_warp(r, 1).size(), 2u * 64 + 8);
}

TEST(SplitK, OnlySliceZeroTouchesC)
{
    const recording::Recording r = test::record(small_tiles(2, {64, 64, 80, 1, 3}), {{0, 0, 0}, {0, 0, 1}});
    EXPECT_EQ(steps_to(first_warp(r, 0), Op::global_load, 2), 8);
    EXPECT_EQ(steps_to(first_warp(r, 0), Op::global_store, 2), 8);
    EXPECT_EQ(steps_to(first_warp(r, 1), Op::global_load, 2), 0);
    EXPECT_EQ(steps_to(first_warp(r, 1), Op::global_store, 2), 0);
    EXPECT_EQ(steps_to(first_warp(r, 1), Op::global_store, workspace), 8);
    EXPECT_EQ(steps_to(first_warp(r, 1), Op::global_load, workspace), 0);
    for (const uint32_t owner : r.owner)
        // The first kernel's blocks have 128 threads. The reduction, with 1,024 threads, changes no owner.
        EXPECT_LT(owner, 128u);
}

TEST(SplitK, EachSliceHasAMatrixOfTheWorkspace)
{
    const recording::Recording r = test::record(small_tiles(8, {40, 36, 200}), {{0, 0, 3}});
    ASSERT_EQ(r.arrays.size(), 6u);
    EXPECT_EQ(r.arrays[workspace].name, "workspace");
    EXPECT_EQ(r.arrays[workspace].space, recording::Space::global);
    EXPECT_EQ(r.arrays[workspace].rows, 7u * 40);
    EXPECT_EQ(r.arrays[workspace].bytes, 7u * 40 * 36 * 4);
    // Warp 2 has rows 32 to 63 and columns 0 to 31. Its lanes form 8 rows of 4, and neighbouring lanes are four rows or
    // columns apart. For the first store, rows 32 and 36 are inside the matrix.
    const Access& store =
        *std::find_if(r.blocks.at(0).warps.at(2).accesses.begin(), r.blocks[0].warps[2].accesses.end(),
                      [](const Access& access) { return access.op == Op::global_store; });
    EXPECT_EQ(store.array, workspace);
    EXPECT_EQ(store.mask, 0xffu);
    EXPECT_EQ(store.offset[0], (2 * 40 + 32) * 36 * 4u);
    EXPECT_EQ(store.offset[5], ((2 * 40 + 36) * 36 + 4) * 4u);
}

TEST(SplitK, CountsTheReduction)
{
    recording::Totals expected;
    // There are 5 phases of 4 loads in 4 warps. Each request reads 512 bytes in rows of 64 or of 256.
    expected.global_load = {80, 80 * 16};
    // Both slices have 8 stores in 4 warps, of 8 rows of 64 bytes each.
    expected.global_store = {64, 64 * 16};
    // The reduction's 1,024 threads of four floats are 32 warps. They read C and the workspace, and write C.
    expected.global_load += {64, 64 * 16};
    expected.global_store += {32, 32 * 16};
    const recording::Totals totals = test::record(small_tiles(2, {64, 64, 80}), {}).totals();
    EXPECT_EQ(totals.global_load, expected.global_load);
    EXPECT_EQ(totals.global_store, expected.global_store);
}

TEST(SplitK, IsRightWhereSlicesHaveNothingToDo)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    for (const uint32_t K : {1u, 16u, 17u, 127u, 129u}) {
        const kernels::Job job = small_tiles(8, {65, 66, K, 2, -1});
        EXPECT_TRUE(kernels::verify(*backend, job, kernels::ProbeKind::none, {}).ok) << K;
    }
    const recording::Recording r = test::record(small_tiles(8, {64, 64, 16}), {{0, 0, 7}});
    EXPECT_EQ(first_warp(r, 0).size(), 8u); // the stores, which write zeros
}

TEST(SplitK, AsksForAMatrixPerSliceButOne)
{
    const kernels::Job job = small_tiles(8, {65536, 65536, 1});
    EXPECT_EQ(kernels::workspace_bytes(*job.stage, job.parameters, job.problem), uint64_t{7} << 34);
}

TEST(SplitK, RefusesInASentence)
{
    const kernels::Stage& stage = *small_tiles(2, {}).stage;
    EXPECT_THROW(kernels::parse_parameters(stage, {"SPLIT=1"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"SPLIT=9"}), kernels::Error);
    EXPECT_THROW(kernels::parse_parameters(stage, {"WNITER=3"}), kernels::Error);
    EXPECT_EQ(kernels::parse_parameters(stage, {"SPLIT=7"}).back(), 7);
}

} // namespace
