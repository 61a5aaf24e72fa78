#include "gemm/rounding.h"

#include <bit>

namespace kernels {

namespace {

constexpr uint32_t infinity = 0x7f800000;

} // namespace

Half to_half(float value)
{
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    const auto half = [sign](uint32_t rest) { return Half{static_cast<uint16_t>(sign | rest)}; };
    if (magnitude > infinity)
        return half(0x7e00 | (magnitude >> 13 & 0x1ff)); // quiet NaN
    if (magnitude >= std::bit_cast<uint32_t>(65520.0f))
        return half(0x7c00); // at least halfway from 65504, the largest number, to the next step: infinity
    if (magnitude < std::bit_cast<uint32_t>(0x1p-14f)) {
        // A denormal is a multiple of 2^-24, the resolution of FP32 just above 0.5. The addition rounds.
        const float sum = std::bit_cast<float>(magnitude) + 0.5f;
        return half(std::bit_cast<uint32_t>(sum) - std::bit_cast<uint32_t>(0.5f));
    }
    const uint32_t odd = magnitude >> 13 & 1;
    return half((magnitude - (112u << 23) + 0xfff + odd) >> 13); // a carry out of the mantissa increments the exponent
}

Bfloat16 to_bfloat16(float value)
{
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffff) > infinity)
        return {static_cast<uint16_t>(bits >> 16 | 0x40)}; // quiet NaN
    const uint32_t odd = bits >> 16 & 1;
    return {static_cast<uint16_t>((bits + 0x7fff + odd) >> 16)};
}

Tf32 to_tf32(float value)
{
    constexpr uint32_t unused = 0x1fff; // of the mantissa's 23 bits
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffff) > infinity)
        return {std::bit_cast<float>((bits | 0x400000) & ~unused)};
    return {std::bit_cast<float>((bits + (unused + 1) / 2) & ~unused)};
}

float to_float(Half value)
{
    const uint32_t sign = (value.bits & 0x8000u) << 16, exponent = value.bits >> 10 & 0x1f,
                   mantissa = value.bits & 0x3ff;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | infinity | mantissa << 13); // or NaN
    if (exponent != 0)
        return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
}

float to_float(Bfloat16 value)
{
    return std::bit_cast<float>(uint32_t{value.bits} << 16);
}

float to_float(Tf32 value)
{
    return value.value;
}

} // namespace kernels
