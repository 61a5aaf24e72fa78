// The types of PTX, and how a register stores a lane's value of each type.
#pragma once

#include "gemm/rounding.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
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

// The parts of a statement's name between its dots: "setp", {"lt", "and", "s32"}.
struct Words {
    explicit Words(std::string_view name);
    std::string_view name, first;
    std::vector<std::string_view> rest;
    std::vector<Type> types; // the types in `rest`, in order
    bool has(std::string_view word) const;
    Type type(std::size_t i = 0) const { return i < types.size() ? types[i] : Type::none; }
};

// The register of a value: 32 bits for each lane if the value has at most 32 bits, otherwise 64.
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

// Floating-point numbers of any width with the roundings of PTX. Each result is the exact number rounded once.

enum class Rounding : uint8_t { nearest_even, to_zero, down, up, nearest_away };

struct FloatFormat {
    int exponent_bits = 8, mantissa_bits = 23;
    bool has_infinity = true;
};
inline constexpr FloatFormat half_format{5, 10}, bfloat_format{8, 7}, tf32_format{8, 10}, single_format{8, 23},
    e4m3_format{4, 3, false}, e5m2_format{5, 2};

// Returns the bits of the number in that format. NaN becomes a NaN with all mantissa bits set and no sign.
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

// Computes a * b + c for numbers of at most 24 bits, rounded to odd. So encode() rounds the result as if it were exact.
double product_sum(double a, double b, double c);

// Sets the rounding mode of the CPU for the lifetime of the object.
class RoundingMode {
public:
    explicit RoundingMode(Rounding rounding);
    ~RoundingMode();
    RoundingMode(const RoundingMode&) = delete;
    RoundingMode& operator=(const RoundingMode&) = delete;
};

// Computes in a rounding mode. The CPU has no mode for nearest_away, for which it computes as nearest_even. The values
// go through volatile variables: the compiler must not move the computation out of the mode, nor do it at compile time.
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

// Rounds to an integer and returns it as a floating-point number.
double whole(double value, Rounding rounding);

} // namespace ptx
