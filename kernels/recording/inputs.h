// What the operands of a recording hold. Every element follows from its place alone, so that a value can be shown that no
// recording stores. Pure functions.
#pragma once

#include <cstdint>

namespace recording {

inline constexpr uint32_t input_seed = 1; // of the operands that a recording is made with

// Element `index`, in storage order without gaps, of operand 0 (A), 1 (B) or 2 (C as it was before): uniform in [-1, 1), the
// same on every machine. A counter-based generator (the finalizer of splitmix64): no value depends on another.
constexpr float input_value(uint32_t seed, uint32_t operand, uint64_t index)
{
    uint64_t bits = (uint64_t{seed * 3 + operand} << 56) + index * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f; // 24 bits: exact in a float
}

} // namespace recording
