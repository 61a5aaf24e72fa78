// Floating-point numbers of any width, rounded as PTX says. Exact: a result is that of the real number rounded once.
#pragma once

#include "gemm/rounding.h"

#include <cstdint>
#include <utility>

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

// The processor's rounding mode, for as long as it lives.
class RoundingMode {
public:
    explicit RoundingMode(Rounding rounding);
    ~RoundingMode();
    RoundingMode(const RoundingMode&) = delete;
    RoundingMode& operator=(const RoundingMode&) = delete;
};

// What `compute` gives in a rounding mode; to nearest-away, which the processor has not, as to nearest-even. It goes through
// volatile variables: the compiler must neither move it out of the mode nor do it in advance.
template <class Result, class F, class... T>
Result rounded(Rounding rounding, F compute, T... operands)
{
    const RoundingMode mode(rounding);
    const auto call = [&compute](volatile T&&... inner) {
        volatile Result result = compute(static_cast<T>(inner)...);
        return static_cast<Result>(result);
    };
    return call(std::move(operands)...);
}

// To a whole number, as a floating-point number still.
double whole(double value, Rounding rounding);

} // namespace ptx
