#include "cpu/tensor_core.h"

#include <bit>
#include <cmath>

namespace cpu {

namespace {

constexpr uint32_t rows = 16, cols = 8;

template <class Element>
constexpr uint32_t depth = 16; // of K
template <>
constexpr uint32_t depth<Tf32> = 8;

// Elements per 32-bit register.
template <class Element>
constexpr uint32_t packed = 2;
template <>
constexpr uint32_t packed<Tf32> = 1;

template <class Element>
float unpack(uint32_t bits, uint32_t index)
{
    if constexpr (packed<Element> == 2)
        return to_float(Element{static_cast<uint16_t>(bits >> (16 * index))});
    else
        return std::bit_cast<float>(bits & ~0x1fffu); // the tensor cores do not look at the lowest 13 bits
}

} // namespace

float to_float(Half half)
{
    const uint32_t exponent = (half.bits >> 10) & 0x1f, mantissa = half.bits & 0x3ff;
    const float sign = (half.bits & 0x8000) != 0 ? -1.0f : 1.0f;
    if (exponent == 0)
        return sign * std::ldexp(static_cast<float>(mantissa), -24);
    if (exponent == 0x1f) // infinity, NaN
        return sign * std::bit_cast<float>(0x7f800000u | mantissa << 13);
    return sign * std::bit_cast<float>((exponent + 112) << 23 | mantissa << 13);
}

float to_float(Bfloat16 value)
{
    return std::bit_cast<float>(uint32_t{value.bits} << 16);
}

// Lane 4 g + t holds rows g and g + 8 of A and column g of B; its t says which columns of A and rows of B: t-th of the
// first half of K in the first registers, of the second half in the others.
template <class Element>
void multiply(const std::array<Fragment, 32>& lanes)
{
    constexpr uint32_t per_register = packed<Element>, half = depth<Element> / 2;
    float a[rows][depth<Element>], b[depth<Element>][cols];
    for (uint32_t lane = 0; lane < lanes.size(); ++lane) {
        const uint32_t g = lane / 4;
        for (uint32_t i = 0; i < per_register; ++i) {
            const uint32_t k = lane % 4 * per_register + i;
            for (uint32_t r = 0; r < 4; ++r)
                a[g + r % 2 * 8][k + r / 2 * half] = unpack<Element>(lanes[lane].a[r], i);
            for (uint32_t r = 0; r < 2; ++r)
                b[k + r * half][g] = unpack<Element>(lanes[lane].b[r], i);
        }
    }
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
        for (uint32_t r = 0; r < 4; ++r) {
            const uint32_t row = lane / 4 + r / 2 * 8, col = lane % 4 * 2 + r % 2;
            float sum = lanes[lane].d[r];
            for (uint32_t k = 0; k < depth<Element>; ++k)
                sum += a[row][k] * b[k][col];
            lanes[lane].d[r] = sum;
        }
}

template void multiply<Half>(const std::array<Fragment, 32>& lanes);
template void multiply<Bfloat16>(const std::array<Fragment, 32>& lanes);
template void multiply<Tf32>(const std::array<Fragment, 32>& lanes);

} // namespace cpu
