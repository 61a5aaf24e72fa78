// Compares the recording of wmma with accesses derived by hand: one block of 4 warps, one slice of K, ragged edges.
#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using recording::Access;
using recording::Op;

recording::Recording record_one_block(float beta)
{
    const kernels::Stage& stage = test::stage("wmma");
    const kernels::Job job{&stage,
                           kernels::parse_parameters(stage, {"BM=64", "BN=64", "BK=32", "WM=32", "WN=32"}),
                           {.M = 40, .N = 44, .K = 20, .alpha = 1, .beta = beta}};
    return test::record(job);
}

// Returns one letter for each step of a warp.
std::string steps_of(const recording::WarpTrace& warp)
{
    std::string text;
    for (const Access& access : warp.accesses)
        switch (access.op) {
        case Op::global_load: text += 'g'; break;
        case Op::global_store: text += 'G'; break;
        case Op::shared_load: text += 's'; break;
        case Op::shared_store: text += 'S'; break;
        case Op::barrier: text += '|'; break;
        case Op::tile_load: text += 't'; break;
        case Op::tile_store: text += 'T'; break;
        case Op::matrix_multiply: text += '*'; break;
        default: text += '?';
        }
    return text;
}

TEST(WmmaStage, LoadsMultipliesAndWritesOutThroughSharedMemory)
{
    const recording::Recording r = record_one_block(0);
    ASSERT_EQ(r.blocks.at(0).warps.size(), 4u);
    for (const recording::WarpTrace& warp : r.blocks[0].warps)
        EXPECT_EQ(steps_of(warp), "ggggSSSS|tttt****tttt****|TTTT|sGsGsGsGsGsGsGsG");
    EXPECT_EQ(steps_of(record_one_block(3).blocks[0].warps[0]).substr(30), "|sgGsgGsgGsgGsgGsgGsgGsgG");
}

TEST(WmmaStage, RecordsAFragmentAsOneRowPerLane)
{
    const recording::Recording r = record_one_block(0);
    const std::vector<Access>& steps = r.blocks[0].warps[3].accesses; // rows 32 to 63, columns 32 to 63
    const auto check = [&steps](std::size_t step, int array, uint32_t row_bytes, uint32_t row, uint32_t col) {
        const uint32_t element = array == 5 ? 4 : 2;
        EXPECT_EQ(steps[step].array, array) << step;
        EXPECT_EQ(steps[step].mask, 0xffffu) << step;
        EXPECT_EQ(steps[step].width, 16 * element) << step;
        for (uint32_t lane = 0; lane < 16; ++lane)
            EXPECT_EQ(steps[step].offset[lane], (row + lane) * row_bytes + col * element) << step;
    };
    check(9, 3, (32 + 16) * 2, 32, 0); // two fragments of A, one below the other
    check(10, 3, (32 + 16) * 2, 48, 0);
    check(11, 4, (64 + 16) * 2, 0, 32); // two fragments of B, side by side
    check(12, 4, (64 + 16) * 2, 0, 48);
    check(17, 3, (32 + 16) * 2, 32, 16); // the next 16 k
    check(20, 4, (64 + 16) * 2, 16, 48);
    check(26, 5, (64 + 8) * 4, 32, 32); // the sums
    check(29, 5, (64 + 8) * 4, 48, 48);
}

// Rows of A and B are padded to 16 bytes in global memory: from 20 halves to 24, and from 44 to 48.
TEST(WmmaStage, ReadsPaddedRowsAndGuardsTheEdges)
{
    const recording::Recording r = record_one_block(0);
    EXPECT_EQ(r.arrays[0].element_bytes, 2u);
    EXPECT_EQ(r.arrays[0].row_bytes(), 48u);
    EXPECT_EQ(r.arrays[1].row_bytes(), 96u);
    const Access& a =
        r.blocks[0].warps[0].accesses[0]; // 8 rows, 4 chunks of 8 halves: the last chunk begins beyond column 20
    EXPECT_EQ(a.mask, 0x77777777u);
    EXPECT_EQ(a.offset[5], 48u + 16);
    EXPECT_EQ(r.blocks[0].warps[3].accesses[1].mask, 0u); // rows 56 to 63 of 40
}

// WMMA's own loads and stores are not counted. Each warp makes 2 stores of 16 bytes for A and for B, and 8 loads for C.
TEST(WmmaStage, CountsWhatLanesMoveThemselves)
{
    const recording::Totals totals = record_one_block(0).totals();
    EXPECT_EQ(totals.shared_store.instructions, 4u * 4);
    EXPECT_EQ(totals.shared_load, (recording::SharedTotals{4 * 8, 4 * 8 * 4, 0}));
}

} // namespace
