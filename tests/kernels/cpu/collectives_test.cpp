// Tests shuffles, ldmatrix, mma and asynchronous copies on the CPU backend, by the PTX manual's definition for each
// lane.
#include "device/ptx.h"
#include "tests/kernels/cpu/threads_of_a_block.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

namespace {

TEST(Shuffle, GivesEachLaneTheValueOfItsSource)
{
    std::array<float, 64> received{};
    run(
        [&](uint32_t thread) {
            const float value = 100.0f + static_cast<float>(thread);
            const float next = ptx::shfl_idx(~0u, value, static_cast<int>((thread + 1) % 32), 1);
            received[thread] = ptx::shfl_idx(~0u, next, 31 - static_cast<int>(thread % 32), 2);
        },
        64);
    for (uint32_t thread = 0; thread < 64; ++thread) {
        const uint32_t mirrored = 31 - thread % 32, after = (mirrored + 1) % 32;
        EXPECT_EQ(received[thread], 100.0f + static_cast<float>(thread / 32 * 32 + after)) << thread;
    }
}

TEST(Shuffle, OfHalfAWarpLetsTheOtherHalfGoItsWay)
{
    std::array<float, 32> received{};
    run([&](uint32_t lane) {
        if (lane < 16)
            received[lane] = ptx::shfl_idx(0xffff, static_cast<float>(lane), 3, 10);
        else
            received[lane] = ptx::shfl_idx(0xffff0000, static_cast<float>(lane), 20, 20);
    });
    for (uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(received[lane], lane < 16 ? 3.0f : 20.0f);
}

TEST(Shuffle, RefusesALaneThatTakesNoPart)
{
    EXPECT_EQ(error_of([](uint32_t) { ptx::shfl_idx(~0u, 0, 32, 7); }),
              "Line 7: a shuffle asks for the value of lane 32, which takes no part in it. Ask for a lane of its mask, "
              "ffffffff.");
    EXPECT_EQ(error_of([](uint32_t lane) { ptx::shfl_idx(0xff, 0, static_cast<int>(lane % 8), 7); }),
              "Line 7: lane 8 comes to a shuffle whose mask, 000000ff, leaves it out.");
}

constexpr const char* advice = " All lanes that take part in a shuffle must come to it together: take it out of the "
                               "branch or the loop that some of them leave.";

TEST(SplitCollective, NamesTheLaneThatHasReturned)
{
    EXPECT_EQ(error_of([](uint32_t lane) {
                  if (lane != 5)
                      ptx::shfl_idx(~0u, 0, 0, 42);
              }),
              "The lanes of a warp part ways: lane 0 is at line 42 (shuffle) while lane 5 has returned." +
                  std::string(advice));
}

TEST(SplitCollective, NamesTheLaneThatWaitsAtABarrier)
{
    EXPECT_EQ(error_of([](uint32_t lane) {
                  if (lane == 0)
                      __syncthreads();
                  ptx::shfl_idx(~0u, 0, 0, 42);
              }),
              "The lanes of a warp part ways: lane 1 is at line 42 (shuffle) while lane 0 waits at __syncthreads." +
                  std::string(advice));
}

TEST(SplitCollective, NamesBothLinesWhenLanesAreAtDifferentOnes)
{
    EXPECT_EQ(error_of([](uint32_t lane) {
                  float d[4] = {};
                  const uint32_t a[4] = {}, b[2] = {};
                  if (lane < 7)
                      ptx::shfl_idx(~0u, 0, 0, 42);
                  else
                      ptx::mma(Half(), d, a, b, 50);
              }),
              "The lanes of a warp part ways: lane 0 is at line 42 (shuffle) while lane 7 is at line 50 (mma)." +
                  std::string(advice));
}

TEST(SplitCollective, NamesTheSizeOfABlockWithoutWholeWarps)
{
    EXPECT_EQ(
        error_of([](uint32_t) { ptx::shfl_idx(~0u, 0, 0, 42); }, 40),
        "The lanes of a warp part ways: lane 0 is at line 42 (shuffle) while lane 8 does not exist, as a block has "
        "40 threads." +
            std::string(advice));
}

// Element (row, col) of matrix m is 100 m + 10 row + col.
TEST(Ldmatrix, GivesEachLaneTwoNeighboursOfEachMatrix)
{
    alignas(16) uint16_t cells[4][8][8];
    for (uint16_t m = 0; m < 4; ++m)
        for (uint16_t row = 0; row < 8; ++row)
            for (uint16_t col = 0; col < 8; ++col)
                cells[m][row][col] = static_cast<uint16_t>(100 * m + 10 * row + col);
    uint32_t plain[32][4], transposed[32][4];
    run([&](uint32_t lane) {
        const uint16_t* const row = cells[lane / 8][lane % 8];
        ptx::ldmatrix_x4<false>(plain[lane], row, 1);
        ptx::ldmatrix_x4<true>(transposed[lane], row, 2);
    });
    // Lane 0 holds (0,0) and (0,1); lane 6 row 1, columns 4 and 5; lane 31 row 7, columns 6 and 7.
    EXPECT_EQ(plain[0][0], 0u | 1u << 16);
    EXPECT_EQ(plain[6][2], 214u | 215u << 16);
    EXPECT_EQ(plain[31][3], 376u | 377u << 16);
    // Transposed: rows and columns are swapped.
    EXPECT_EQ(transposed[0][0], 0u | 10u << 16);
    EXPECT_EQ(transposed[6][2], 241u | 251u << 16);
    EXPECT_EQ(transposed[31][3], 367u | 377u << 16);
}

TEST(Ldmatrix, RefusesARowThatIsNotAligned)
{
    alignas(16) static std::array<uint16_t, 16> cells{};
    EXPECT_EQ(error_of([](uint32_t) {
                  uint32_t to[4];
                  ptx::ldmatrix_x4<false>(to, &cells[4], 9);
              }),
              "Line 9: a row of ldmatrix of 16 bytes must start at a multiple of 16 bytes. Change the layout or the "
              "width.");
}

// Returns a small whole number, which all element types represent exactly.
float small(std::minstd_rand& random)
{
    return static_cast<float>(static_cast<int>(random() % 17) - 8);
}

uint32_t bits_of(float value)
{
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Encodes a small whole number.
uint32_t encode(Half, float value)
{
    if (value == 0)
        return 0;
    int exponent = 0;
    const float mantissa = std::frexp(std::fabs(value), &exponent); // 0.5 to 1
    return (value < 0 ? 0x8000u : 0u) | static_cast<uint32_t>(exponent + 14) << 10 |
           (static_cast<uint32_t>(mantissa * 2048) & 0x3ffu);
}

uint32_t encode(Bfloat16, float value)
{
    return bits_of(value) >> 16;
}

// Sets some of the lowest 13 bits, which tensor cores ignore.
uint32_t encode(Tf32, float value)
{
    return bits_of(value) | 0x1555;
}

template <class Element>
class Mma : public testing::Test {
};
using Elements = testing::Types<Half, Bfloat16, Tf32>;
TYPED_TEST_SUITE(Mma, Elements);

// Uses the layout of fragments from the tables of the PTX manual, register by register.
TYPED_TEST(Mma, IsATripleLoopOverTheFragments)
{
    constexpr bool narrow = sizeof(TypeParam) == 2;
    constexpr int K = narrow ? 16 : 8;
    std::minstd_rand random(7);
    float A[16][K], B[K][8], C[16][8], D[16][8];
    for (auto& row : A)
        for (float& value : row)
            value = small(random);
    for (auto& row : B)
        for (float& value : row)
            value = small(random);
    for (auto& row : C)
        for (float& value : row)
            value = small(random) + 0.25f;
    run([&](uint32_t lane) {
        const uint32_t group = lane >> 2, in_group = lane % 4;
        const auto pack = [](float low, float high) {
            return encode(TypeParam(), low) | (narrow ? encode(TypeParam(), high) << 16 : 0);
        };
        uint32_t a[4], b[2];
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t row = i == 0 || i == 2 ? group : group + 8;
            if (narrow) {
                const uint32_t col = in_group * 2 + (i >= 2 ? 8 : 0);
                a[i] = pack(A[row][col], A[row][col + 1]);
            } else {
                a[i] = pack(A[row][i < 2 ? in_group : in_group + 4], 0);
            }
        }
        for (uint32_t i = 0; i < 2; ++i) {
            if (narrow) {
                const uint32_t row = in_group * 2 + (i == 1 ? 8 : 0);
                b[i] = pack(B[row][group], B[row + 1][group]);
            } else {
                b[i] = pack(B[i == 0 ? in_group : in_group + 4][group], 0);
            }
        }
        float* const upper = &C[group][in_group * 2];
        float* const lower = &C[group + 8][in_group * 2];
        float d[4] = {upper[0], upper[1], lower[0], lower[1]};
        ptx::mma(TypeParam(), d, a, b, 1);
        D[group][in_group * 2] = d[0];
        D[group][in_group * 2 + 1] = d[1];
        D[group + 8][in_group * 2] = d[2];
        D[group + 8][in_group * 2 + 1] = d[3];
    });
    for (int row = 0; row < 16; ++row)
        for (int col = 0; col < 8; ++col) {
            float sum = C[row][col];
            for (int k = 0; k < K; ++k)
                sum += A[row][k] * B[k][col];
            EXPECT_EQ(D[row][col], sum) << row << "," << col;
        }
}

// A warp multiplies single elements by 1, which shows the meaning of the type's bits and the ends of its range.
TEST(MmaOfHalf, KnowsEveryKindOfHalf)
{
    const auto times_one = [](uint16_t half) {
        float result = 0;
        run([&](uint32_t lane) {
            const uint32_t a[4] = {lane == 0 ? half : 0u}, b[2] = {lane == 0 ? 0x3c00u : 0u};
            float d[4] = {};
            ptx::mma(Half(), d, a, b, 1);
            if (lane == 0)
                result = d[0];
        });
        return result;
    };
    EXPECT_EQ(times_one(0x3c00), 1.0f);
    EXPECT_EQ(times_one(0xc580), -5.5f);
    EXPECT_EQ(times_one(0x7bff), 65504.0f);
    EXPECT_EQ(times_one(0x0400), 0x1p-14f);
    EXPECT_EQ(times_one(0x03ff), 1023 * 0x1p-24f);
    EXPECT_EQ(times_one(0x8001), -0x1p-24f);
}

struct Cells {
    alignas(16) std::array<float, 16> from{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    alignas(16) std::array<float, 16> to{};
};

TEST(AsyncCopy, IsThereAfterTheWaitForItsGroupOnly)
{
    Cells cells;
    std::array<std::array<float, 3>, 4> seen{};
    const auto look = [&] { return std::array{cells.to[0], cells.to[4], cells.to[8]}; };
    run(
        [&](uint32_t) {
            ptx::cp_async_16(&cells.to[0], &cells.from[0], true, 1);
            ptx::cp_async_commit_group(2);
            ptx::cp_async_4(&cells.to[4], &cells.from[4], true, 3);
            ptx::cp_async_commit_group(4);
            ptx::cp_async_4(&cells.to[8], &cells.from[8], true, 5); // not committed to a group yet
            seen[0] = look();
            ptx::cp_async_wait_group<1>(6);
            seen[1] = look();
            ptx::cp_async_wait_group<0>(7);
            seen[2] = look();
            ptx::cp_async_commit_group(8);
            ptx::cp_async_wait_group<0>(9);
            seen[3] = look();
        },
        1);
    EXPECT_EQ(seen[0], (std::array{0.0f, 0.0f, 0.0f}));
    EXPECT_EQ(seen[1], (std::array{1.0f, 0.0f, 0.0f}));
    EXPECT_EQ(seen[2], (std::array{1.0f, 5.0f, 0.0f}));
    EXPECT_EQ(seen[3], (std::array{1.0f, 5.0f, 9.0f}));
    EXPECT_EQ(cells.to[3], 4.0f);
    EXPECT_EQ(cells.to[5], 0.0f);
}

// Each thread counts its own groups, and an empty group counts too.
TEST(AsyncCopy, OfAnotherThreadIsNotWaitedFor)
{
    Cells cells;
    float seen = -1;
    run(
        [&](uint32_t thread) {
            if (thread == 1) {
                ptx::cp_async_4(&cells.to[0], &cells.from[0], true, 1);
                ptx::cp_async_commit_group(2);
            }
            __syncthreads();
            if (thread == 0) {
                ptx::cp_async_wait_group<0>(3);
                seen = cells.to[0];
            }
            __syncthreads();
            ptx::cp_async_commit_group(4);
            ptx::cp_async_wait_group<1>(5);
        },
        2);
    EXPECT_EQ(seen, 0.0f);
    EXPECT_EQ(cells.to[0], 1.0f);
}

TEST(AsyncCopy, BringsZerosFromOutside)
{
    Cells cells;
    cells.to.fill(-1);
    run(
        [&](uint32_t) {
            ptx::cp_async_16(&cells.to[0], &cells.from[0], false, 1);
            ptx::cp_async_4(&cells.to[8], &cells.from[0], false, 2);
            ptx::cp_async_commit_group(3);
            ptx::cp_async_wait_group<0>(4);
        },
        1);
    EXPECT_EQ(cells.to, (std::array<float, 16>{0, 0, 0, 0, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1}));
}

TEST(AsyncCopy, ThatNobodyWaitsForIsAnError)
{
    Cells cells;
    EXPECT_EQ(error_of(
                  [&](uint32_t) {
                      ptx::cp_async_4(&cells.to[0], &cells.from[0], true, 12);
                      ptx::cp_async_commit_group(13);
                      ptx::cp_async_wait_group<1>(14);
                  },
                  1),
              "Thread 0 returns while the asynchronous copy that it started in line 12 may be under way. Commit it and "
              "wait for its group, or do not start it.");
}

TEST(AsyncCopy, RefusesAddressesThatAreNotAligned)
{
    Cells cells;
    EXPECT_EQ(
        error_of([&](uint32_t) { ptx::cp_async_16(&cells.to[2], &cells.from[0], true, 12); }, 1),
        "Line 12: the target of an asynchronous copy of 16 bytes must start at a multiple of 16 bytes. Change the "
        "layout or the width.");
    EXPECT_EQ(
        error_of([&](uint32_t) { ptx::cp_async_16(&cells.to[4], &cells.from[1], true, 12); }, 1),
        "Line 12: the source of an asynchronous copy of 16 bytes must start at a multiple of 16 bytes. Change the "
        "layout or the width.");
}

} // namespace
