// Floating-point numbers of any width, rounded as PTX says. Exact: a result is that of the real number rounded once.
#pragma once

#include "gemm/rounding.h"

#include <cstdint>

namespace ptx {

enum class Rounding : uint8_t { nearest_even, to_zero, down, up, nearest_away };

struct FloatFormat {
    int exponent_bits = 8, mantissa_bits = 23;
    bool has_infinity = true;
};
inline constexpr FloatFormat half_format{5, 10}, bfloat_format{8, 7}, tf32_format{8, 10}, single_format{8, 23},
    e4m3_format{4, 3, false}, e5m2_format{5, 2};

// The bits of the number in that format. NaN becomes the format's NaN with all mantissa bits set and no sign.
uint32_t encode(double value, FloatFormat format, Rounding rounding = Rounding::nearest_even);
double decode(uint32_t bits, FloatFormat format); // exact

inline float half_to_float(uint16_t bits)
{
    return kernels::to_float(Half{bits});
}
inline uint16_t half_of(double value, Rounding rounding = Rounding::nearest_even)
{
    return static_cast<uint16_t>(encode(value, half_format, rounding));
}

// a * b + c of numbers of at most 24 bits, so that encode() of the result rounds as if it were exact ("round to odd").
double product_sum(double a, double b, double c);

// In a mode that is not nearest-even. Slower than what the processor does by itself.
float add(float a, float b, Rounding rounding);
float multiply(float a, float b, Rounding rounding);
float divide(float a, float b, Rounding rounding);
float square_root(float a, Rounding rounding);
float fused(float a, float b, float c, Rounding rounding);
double add(double a, double b, Rounding rounding);
double multiply(double a, double b, Rounding rounding);
double divide(double a, double b, Rounding rounding);
double square_root(double a, Rounding rounding);
double fused(double a, double b, double c, Rounding rounding);
float to_float(uint64_t value, Rounding rounding);
float to_float(int64_t value, Rounding rounding);
double to_double(uint64_t value, Rounding rounding);
double to_double(int64_t value, Rounding rounding);

// To a whole number, as a floating-point number still.
double whole(double value, Rounding rounding);

} // namespace ptx
