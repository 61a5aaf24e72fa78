// The types of PTX, and how a lane's value of each lies in a register.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ptx {

enum class Type : uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f64,
    e4m3x2,
    e5m2x2,
    e4m3,
    e5m2,
};

std::optional<Type> type_of(std::string_view word); // "f32"
int bits_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);

// A statement's name at its dots: "setp", {"lt", "and", "s32"}.
struct Words {
    explicit Words(std::string_view name);
    std::string_view name, first;
    std::vector<std::string_view> rest;
    std::vector<Type> types; // those among the rest, in order
    bool has(std::string_view word) const;
    Type type(std::size_t i = 0) const { return i < types.size() ? types[i] : Type::none; }
};

// A register of 32 bits or less has 32 of them for each lane, a wider one 64.
template <class T>
using Slot = std::conditional_t<(sizeof(T) <= 4), uint32_t, uint64_t>;

template <class T>
constexpr T value_of(Slot<T> slot)
{
    if constexpr (std::is_floating_point_v<T>)
        return std::bit_cast<T>(slot);
    else
        return static_cast<T>(slot);
}

template <class T>
constexpr Slot<T> slot_of(T value)
{
    if constexpr (std::is_floating_point_v<T>)
        return std::bit_cast<Slot<T>>(value);
    else
        return static_cast<Slot<T>>(static_cast<std::make_unsigned_t<T>>(value));
}

} // namespace ptx
