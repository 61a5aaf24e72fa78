// Values of a recording's operands. Each element is a function of its index, so the window can show values that are not
// recorded. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace recording {

// The values that fill the matrices. Recording files store this number.
enum class Inputs : uint8_t {
    unknown, // not recorded: the file comes from another program or predates format 2.2
    random,  // uniform in [-1, 1)
    small,   // whole numbers from 1 to 5, exact in every element type, so that sums can be checked in one's head
};
inline constexpr std::array<std::string_view, 3> inputs_names = {"unknown", "random", "small"};
constexpr auto names_of(Inputs)
{
    return inputs_names;
}
inline constexpr std::string_view name(Inputs inputs)
{
    return inputs_names[static_cast<uint8_t>(inputs)];
}

inline constexpr uint32_t input_seed = 1; // seed of the operands that recordings are made with

// A counter-based generator (the finalizer of splitmix64). No value depends on another.
constexpr uint32_t input_bits(uint32_t seed, uint32_t operand, uint64_t index) // 24 bits
{
    uint64_t bits = (uint64_t{seed * 3 + operand} << 56) + index * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    return static_cast<uint32_t>(bits >> 40);
}

// Returns the initial value of element `index`, in storage order without padding, of operand 0 (A), 1 (B) or 2 (C). The
// value is the same on every machine. `inputs` must not be unknown.
constexpr float input_value(Inputs inputs, uint32_t seed, uint32_t operand, uint64_t index)
{
    const uint32_t bits = input_bits(seed, operand, index);
    if (inputs == Inputs::small)
        return static_cast<float>(1 + bits % 5);
    return static_cast<float>(bits) * 0x1p-23f - 1.0f; // exact in a float
}

} // namespace recording
