// Rounding to FP16, BF16 and TF32 compared with the nearest value in float64, for every value of the small types.
#include "gemm/element_type.h"
#include "gemm/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace {

using kernels::to_bfloat16;
using kernels::to_float;
using kernels::to_half;
using kernels::to_tf32;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Checks rounding between the adjacent positive values of a 16-bit type with the bits `low` and `low + 1`. Values below
// the middle must be rounded down, values above it up, and the middle to the even value. Rounding is monotonic, so this
// covers all floats between them.
template <class Small, class Round>
void expect_nearest_even(uint16_t low, double below, double above, Round round)
{
    const auto middle = static_cast<float>((below + above) / 2); // exact: FP32 has more bits
    ASSERT_EQ(middle, (below + above) / 2);
    const uint16_t high = low + 1, even = low % 2 == 0 ? low : high;
    for (const float sign : {1.0f, -1.0f}) {
        const uint16_t sign_bit = sign < 0 ? 0x8000 : 0;
        ASSERT_EQ(round(sign * static_cast<float>(below)).bits, low | sign_bit);
        ASSERT_EQ(round(sign * std::nextafter(middle, 0.0f)).bits, low | sign_bit) << low;
        ASSERT_EQ(round(sign * middle).bits, even | sign_bit) << low;
        ASSERT_EQ(round(sign * std::nextafter(middle, infinity)).bits, high | sign_bit) << low;
    }
}

TEST(Rounding, ToHalfIsToTheNearestOfAllHalfs)
{
    for (uint16_t low = 0; low < 0x7bff; ++low)
        expect_nearest_even<Half>(low, to_float(Half{low}), to_float(Half{static_cast<uint16_t>(low + 1)}), to_half);
    expect_nearest_even<Half>(0x7bff, 65504, 65536, to_half); // above the largest number: infinity from 65520 on
}

TEST(Rounding, ToBfloat16IsToTheNearestOfAll)
{
    for (uint16_t low = 0; low < 0x7f7f; ++low)
        expect_nearest_even<Bfloat16>(low, to_float(Bfloat16{low}), to_float(Bfloat16{static_cast<uint16_t>(low + 1)}),
                                      to_bfloat16);
    EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
}

TEST(Rounding, SixteenBitsSurviveTheWayToFp32AndBack)
{
    for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const Half half{static_cast<uint16_t>(bits)};
        const Bfloat16 brain{static_cast<uint16_t>(bits)};
        if ((bits & 0x7fff) > 0x7c00)
            ASSERT_TRUE(std::isnan(to_float(half)) && std::isnan(to_float(to_half(to_float(half))))) << bits;
        else
            ASSERT_EQ(to_half(to_float(half)).bits, bits);
        if ((bits & 0x7fff) > 0x7f80)
            ASSERT_TRUE(std::isnan(to_float(brain)) && std::isnan(to_float(to_bfloat16(to_float(brain))))) << bits;
        else
            ASSERT_EQ(to_bfloat16(to_float(brain)).bits, bits);
    }
}

TEST(Rounding, KnownHalfs)
{
    EXPECT_EQ(to_half(1.0f).bits, 0x3c00);
    EXPECT_EQ(to_half(-2.0f).bits, 0xc000);
    EXPECT_EQ(to_half(0x1p-24f).bits, 0x0001); // the smallest denormal
    EXPECT_EQ(to_half(0x1p-25f).bits, 0x0000); // halfway to zero, which is even
    EXPECT_EQ(to_half(infinity).bits, 0x7c00);
    EXPECT_EQ(to_float(Half{0x3555}), 0.333251953125f);
    EXPECT_EQ(to_float(Bfloat16{0x3eab}), 0.333984375f);
}

// Covers all exponents and all ten retained bits. The middle is rounded away from zero, values below it towards zero.
TEST(Rounding, ToTf32IsToTheNearestAndTiesGoAway)
{
    for (uint32_t kept = 0; kept < 0x7f800000; kept += 0x2000)
        for (const uint32_t sign : {0u, 0x80000000u}) {
            const auto round = [sign](uint32_t bits) {
                return std::bit_cast<uint32_t>(to_tf32(std::bit_cast<float>(bits | sign)).value) & 0x7fffffff;
            };
            ASSERT_EQ(round(kept), kept);
            ASSERT_EQ(round(kept + 0x0fff), kept);
            ASSERT_EQ(round(kept + 0x1000), kept + 0x2000);
            ASSERT_EQ(round(kept + 0x1fff), kept + 0x2000);
        }
}

TEST(Rounding, NaNStaysNaN)
{
    for (const Type type : {type_fp32, type_tf32, type_fp16, type_bf16}) {
        EXPECT_TRUE(std::isnan(kernels::rounded(nan, type)));
        // A single low bit: truncation must not turn this NaN into infinity.
        EXPECT_TRUE(std::isnan(kernels::rounded(std::bit_cast<float>(0x7f800001u), type)));
        EXPECT_EQ(kernels::rounded(infinity, type), infinity);
        EXPECT_EQ(kernels::rounded(-infinity, type), -infinity);
        EXPECT_TRUE(std::signbit(kernels::rounded(-0.0f, type)));
    }
}

} // namespace
