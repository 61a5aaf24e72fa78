// The arithmetic of PTX, lane by lane.
#pragma once

#include "ptx/program.h"

#include <cstring>
#include <tuple>
#include <utility>

namespace ptx {

enum class Width : uint8_t { none, word, wide, predicate };

// The registers of an instruction's operands, and the function that executes it, or null if there is no such
// instruction.
struct Arithmetic {
    Run run = nullptr;
    std::array<Width, 6> widths{};
    uint8_t results = 1;
    bool optional_result = false; // a second result may be left out
    bool approximate = false;
};

// Each of these looks up the instruction with these words, and may set members of `instruction`.
Arithmetic integer_arithmetic(const Words& words, Instruction& instruction);
Arithmetic bit_arithmetic(const Words& words, Instruction& instruction);
Arithmetic float_arithmetic(const Words& words, Instruction& instruction);
Arithmetic half_arithmetic(const Words& words, Instruction& instruction);
Arithmetic comparison(const Words& words, Instruction& instruction);
Arithmetic conversion(const Words& words, Instruction& instruction);

inline constexpr int lane_count = 32;

template <class F>
inline void for_lanes(uint32_t mask, F f)
{
    if (mask == ~0u)
        for (int lane = 0; lane < lane_count; ++lane)
            f(lane);
    else
        for (; mask != 0; mask &= mask - 1)
            f(std::countr_zero(mask));
}

template <class T>
inline T* at(std::byte* registers, uint32_t offset)
{
    return reinterpret_cast<T*>(registers + offset);
}

inline constexpr uint32_t is_wide = 1; // added to a register's place in Instruction::to and in if it has 64 bits

inline uint64_t read_register(const std::byte* registers, uint32_t marked, int lane)
{
    auto* const all = const_cast<std::byte*>(registers);
    return (marked & is_wide) != 0 ? at<uint64_t>(all, marked & ~is_wide)[lane] : at<uint32_t>(all, marked)[lane];
}

// Returns the register with an access's address, in the form that read_register() takes.
inline uint32_t address_register(const Instruction& instruction)
{
    return instruction.r[0] | (instruction.to_signed ? is_wide : 0);
}

inline void write_register(std::byte* registers, uint32_t marked, int lane, uint64_t value)
{
    if ((marked & is_wide) != 0)
        at<uint64_t>(registers, marked & ~is_wide)[lane] = value;
    else
        at<uint32_t>(registers, marked)[lane] = static_cast<uint32_t>(value);
}

// Writes a predicate, or another word with a bit for each lane. Only the bits of the mask are written.
inline void write_bits(std::byte* registers, uint32_t offset, uint32_t mask, uint32_t bits)
{
    uint32_t& to = *at<uint32_t>(registers, offset);
    to = (to & ~mask) | (bits & mask);
}

// Writes Program::constants to their registers, in all lanes.
void fill_constants(const Program& program, std::byte* registers);

// Writes the bytes that a load reads to its registers.
void load_registers(const Instruction& instruction, std::byte* registers, int lane, const std::byte* from);

template <class T>
constexpr Width width_of()
{
    return sizeof(T) <= 4 ? Width::word : Width::wide;
}

// Finds the types of the result and the operands of a function of one lane's values. The function may be a lambda, and
// may take the instruction as its first parameter.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {
};
template <class D, class... S>
struct Signature<D (*)(S...)> {
    using Result = D;
    using Operands = std::tuple<S...>;
    static constexpr bool takes_instruction = false;
};
template <class D, class... S>
struct Signature<D (*)(const Instruction&, S...)> : Signature<D (*)(S...)> {
    static constexpr bool takes_instruction = true;
};
template <class C, class D, class... S>
struct Signature<D (C::*)(S...) const> : Signature<D (*)(S...)> {
};

// Calls f for each lane of the mask. r[0] is the register of the result, and those of the operands follow.
template <auto f>
void each(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    using Of = Signature<decltype(f)>;
    using D = typename Of::Result;
    auto* const to = at<Slot<D>>(registers, instruction.r[0]);
    [&]<class... S, std::size_t... n>(std::tuple<S...>*, std::index_sequence<n...>) {
        const std::tuple<const Slot<S>*...> from{at<Slot<S>>(registers, instruction.r[n + 1])...};
        for_lanes(mask, [&](int lane) {
            if constexpr (Of::takes_instruction)
                to[lane] = slot_of<D>(f(instruction, value_of<S>(std::get<n>(from)[lane])...));
            else
                to[lane] = slot_of<D>(f(value_of<S>(std::get<n>(from)[lane])...));
        });
    }(static_cast<typename Of::Operands*>(nullptr),
      std::make_index_sequence<std::tuple_size_v<typename Of::Operands>>());
}

template <auto f>
Arithmetic lanewise()
{
    using Of = Signature<decltype(f)>;
    return []<class... S>(std::tuple<S...>*) {
        return Arithmetic{.run = &each<f>, .widths = {width_of<typename Of::Result>(), width_of<S>()...}};
    }(static_cast<typename Of::Operands*>(nullptr));
}

// Returns `make.operator()<T>()` for the integer type T. Types of plain bits, such as b32, count as unsigned. For other
// types returns an empty value.
template <class Make>
auto of_integer(Type type, Make make) -> decltype(make.template operator()<uint8_t>())
{
    switch (type) {
    case Type::u8:
    case Type::b8: return make.template operator()<uint8_t>();
    case Type::s8: return make.template operator()<int8_t>();
    case Type::u16:
    case Type::b16: return make.template operator()<uint16_t>();
    case Type::u32:
    case Type::b32: return make.template operator()<uint32_t>();
    case Type::u64:
    case Type::b64: return make.template operator()<uint64_t>();
    case Type::s16: return make.template operator()<int16_t>();
    case Type::s32: return make.template operator()<int32_t>();
    case Type::s64: return make.template operator()<int64_t>();
    default: return {};
    }
}

inline Rounding rounding_of(const Words& words)
{
    if (words.has("rz") || words.has("rzi"))
        return Rounding::to_zero;
    if (words.has("rm") || words.has("rmi"))
        return Rounding::down;
    if (words.has("rp") || words.has("rpi"))
        return Rounding::up;
    return words.has("rna") ? Rounding::nearest_away : Rounding::nearest_even;
}

} // namespace ptx
