// Compares warp_shuffle's recording with accesses derived by hand: one warp, one fragment of 16 x 32, one slice of K.
#include "backend.h"
#include "tests/ladder.h"

#include <gtest/gtest.h>

namespace {

using recording::Access;
using recording::Op;

recording::Recording record_one_warp()
{
    const kernels::Job job = test::job("warp_shuffle", {.M = 16, .N = 32, .K = 8, .alpha = 1, .beta = 0}, {"warps=1"});
    return test::record(job);
}

TEST(WarpShuffle, LoadsEachValueOnceAndPassesItOn)
{
    const recording::Recording recording = record_one_warp();
    ASSERT_EQ(recording.blocks.at(0).warps.size(), 1u);
    const std::vector<Access>& steps = recording.blocks[0].warps[0].accesses;
    ASSERT_EQ(steps.size(), 4u + 8 + 8 * (4 + 4) + 16);
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const uint32_t row = lane / 8, col = lane % 8; // position of the lane
        for (uint32_t i = 0; i < 4; ++i)               // A has rows of 8: every fourth row, column lane % 8
            EXPECT_EQ(steps[i].offset[lane], ((row + 4 * i) * 8 + col) * 4);
        for (uint32_t k = 0; k < 8; ++k) // B has rows of 32
            EXPECT_EQ(steps[4 + k].offset[lane], (k * 32 + lane) * 4);
        for (uint32_t k = 0; k < 8; ++k)
            for (uint32_t n = 0; n < 4; ++n) {
                EXPECT_EQ(steps[12 + 8 * k + n].offset[lane], row * 8 + k);
                EXPECT_EQ(steps[12 + 8 * k + 4 + n].offset[lane], col + 8 * n);
            }
        for (uint32_t n = 0; n < 16; ++n)
            EXPECT_EQ(steps[76 + n].offset[lane], ((row + n / 4 * 4) * 32 + col + n % 4 * 8) * 4);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].op, i < 12 ? Op::global_load : i < 76 ? Op::shuffle : Op::global_store) << i;
        EXPECT_EQ(steps[i].mask, ~0u) << i;
        EXPECT_EQ(steps[i].array, i < 4 || (i >= 12 && i < 76) ? 0 : i < 12 ? 1 : 2) << i;
    }
}

// 4 requests of 4 rows of 32 bytes, 8 of one row of 128 bytes, 16 stores of 4 rows of 32 bytes. Shuffles add nothing.
TEST(WarpShuffle, CostsFullSectorsOnly)
{
    recording::Totals expected;
    expected.global_load = {4 + 8, 4 * 4 + 8 * 4};
    expected.global_store = {16, 16 * 4};
    EXPECT_EQ(record_one_warp().totals(), expected);
}

} // namespace
