// The WMMA functions on the CPU backend. Fragments are opaque, so the tests compare only inputs and outputs.
#include "device/wmma.h"
#include "tests/kernels/cpu/threads_of_a_block.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using test::says;

// FP16 of 0, 1, 2 and 3.
constexpr uint16_t half_of[] = {0x0000, 0x3c00, 0x4000, 0x4200};

struct alignas(32) Tiles {
    // The fragments are in columns 16 to 31; the strides differ, so that confusing them is detected.
    Half a[16][32], b[16][48];
    float c[16][24];
};

int value_a(int row, int k)
{
    return (row * 5 + k * 3) % 4;
}

int value_b(int k, int col)
{
    return (k * 7 + col * 2 + k / 4) % 4;
}

TEST(Wmma, MultipliesFragmentsOfTiles)
{
    Tiles tiles{};
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            tiles.a[i][16 + j].bits = half_of[value_a(i, j)];
            tiles.b[i][16 + j].bits = half_of[value_b(i, j)];
        }
    run([&tiles](uint32_t) {
        uint32_t a[8], b[8];
        float d[8] = {};
        ptx::wmma_load_a(a, &tiles.a[0][16], 32, 1);
        ptx::wmma_load_b(b, &tiles.b[0][16], 48, 2);
        ptx::wmma_multiply(d, a, b, 3);
        ptx::wmma_multiply(d, a, b, 4);
        ptx::wmma_store(&tiles.c[0][8], d, 24, 5);
    });
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            int sum = 0;
            for (int k = 0; k < 16; ++k)
                sum += 2 * value_a(i, k) * value_b(k, j);
            EXPECT_EQ(tiles.c[i][8 + j], static_cast<float>(sum)) << i << "," << j;
            if (j < 8) {
                EXPECT_EQ(tiles.c[i][j], 0.0f) << i << "," << j;
            }
        }
}

TEST(Wmma, NamesTheLineThatSomeLanesDoNotReach)
{
    const std::string error = error_of([](uint32_t lane) {
        uint32_t a[8] = {}, b[8] = {};
        float d[8] = {};
        if (lane < 16)
            ptx::wmma_multiply(d, a, b, 33);
    });
    EXPECT_TRUE(says(error, "lane 0 is at line 33 (WMMA multiplication) while lane 16 has returned"));
}

TEST(Wmma, RefusesRowsThatAreNotAlignedAndLanesThatDoNotAgree)
{
    Tiles tiles{};
    const auto load = [&tiles](int col, int stride) {
        return error_of([&tiles, col, stride](uint32_t) {
            uint32_t a[8];
            ptx::wmma_load_a(a, &tiles.a[0][col], stride, 4);
        });
    };
    EXPECT_EQ(load(8, 32), "Line 4: every row of a WMMA load of A must start at a multiple of 32 bytes. Change the "
                           "layout.");
    EXPECT_EQ(load(0, 40), load(8, 32));
    EXPECT_EQ(error_of([&tiles](uint32_t lane) {
                  const float d[8] = {};
                  ptx::wmma_store(&tiles.c[0][lane == 9 ? 8 : 0], d, 24, 7);
              }),
              "Line 7: lanes 0 and 9 name different places for a WMMA store, which moves one fragment for the whole "
              "warp. Name the same in all lanes.");
}

} // namespace
