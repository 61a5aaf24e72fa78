// Conversions between types.
#include "ptx/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ptx {

namespace {

template <class T>
T narrowed(int64_t value, bool saturates)
{
    if (saturates)
        value = std::clamp<int64_t>(value, std::numeric_limits<T>::min(),
                                    std::is_same_v<T, uint64_t> ? std::numeric_limits<int64_t>::max()
                                                                : static_cast<int64_t>(std::numeric_limits<T>::max()));
    return static_cast<T>(value);
}

// Converts between integer types.
template <class To, class From>
void whole_numbers(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    auto* to = at<Slot<To>>(registers, instruction.r[0]);
    const auto* from = at<Slot<From>>(registers, instruction.r[1]);
    for_lanes(mask, [&](int lane) {
        const From value = value_of<From>(from[lane]);
        if (instruction.saturate)
            to[lane] = std::is_same_v<From, uint64_t> && value > static_cast<From>(std::numeric_limits<To>::max())
                           ? slot_of<To>(std::numeric_limits<To>::max())
                           : slot_of<To>(narrowed<To>(static_cast<int64_t>(value), true));
        else
            to[lane] = slot_of<To>(static_cast<To>(value));
    });
}

Run between_whole(Type to, Type from)
{
    return of_integer(to, [from]<class To>() {
        return of_integer(from, []<class From>() -> Run { return whole_numbers<To, From>; });
    });
}

double float_value(Type type, uint64_t bits)
{
    switch (type) {
    case Type::f16: return half_to_float(static_cast<uint16_t>(bits));
    case Type::bf16: return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
    case Type::f64: return std::bit_cast<double>(bits);
    default: return std::bit_cast<float>(static_cast<uint32_t>(bits));
    }
}

uint64_t float_bits(Type type, double value, Rounding rounding)
{
    switch (type) {
    case Type::f16: return encode(value, half_format, rounding);
    case Type::bf16: return encode(value, bfloat_format, rounding);
    case Type::tf32: return encode(value, tf32_format, rounding) << 13;
    case Type::f64: return std::bit_cast<uint64_t>(value);
    default: return encode(value, single_format, rounding);
    }
}

// Converts an integer to the type Float.
template <class Float>
Float as_float(uint64_t bits, bool is_unsigned, Rounding rounding)
{
    if (is_unsigned)
        return rounded<Float>(
            rounding, [](uint64_t x) { return static_cast<Float>(x); }, bits);
    return rounded<Float>(
        rounding, [](int64_t x) { return static_cast<Float>(x); }, static_cast<int64_t>(bits));
}

// Converts an integer to a floating-point type.
uint64_t from_whole_number(const Instruction& instruction, uint64_t bits)
{
    const bool is_unsigned = instruction.from == Type::u64 || instruction.from == Type::b64;
    bits = of_integer(instruction.from, [bits]<class T>() { return static_cast<uint64_t>(static_cast<T>(bits)); });
    if (instruction.type == Type::f64)
        return std::bit_cast<uint64_t>(as_float<double>(bits, is_unsigned, instruction.rounding));
    if (instruction.type == Type::f32)
        return std::bit_cast<uint32_t>(as_float<float>(bits, is_unsigned, instruction.rounding));
    // Rounds the double to odd, so that a second rounding gives the same result as rounding the integer itself.
    double nearest = as_float<double>(bits, is_unsigned, Rounding::to_zero);
    const bool is_exact = is_unsigned ? nearest < 0x1p64 && static_cast<uint64_t>(nearest) == bits
                                      : static_cast<int64_t>(nearest) == static_cast<int64_t>(bits);
    if (!is_exact)
        nearest = std::bit_cast<double>(std::bit_cast<uint64_t>(nearest) | 1);
    return float_bits(instruction.type, nearest, instruction.rounding);
}

// Converts a floating-point number to an integer. A number out of range becomes the largest or the smallest integer.
// NaN becomes 0, or 2^63 in 64 bits.
uint64_t to_whole_number(const Instruction& instruction, double value)
{
    if (std::isnan(value))
        return bits_of(instruction.type) == 64 ? uint64_t{1} << 63 : 0;
    value = whole(value, instruction.rounding);
    const int bits = bits_of(instruction.type);
    if (is_signed(instruction.type)) {
        const double limit = std::ldexp(1.0, bits - 1);
        if (value >= limit)
            return (uint64_t{1} << (bits - 1)) - 1;
        const auto result = static_cast<uint64_t>(static_cast<int64_t>(std::max(value, -limit)));
        return bits == 64 ? result : result & ((uint64_t{1} << bits) - 1);
    }
    if (value >= std::ldexp(1.0, bits))
        return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

double flushed(const Instruction& instruction, Type type, double value)
{
    return instruction.flush && type == Type::f32 && value != 0 && std::fabs(value) < 0x1p-126
               ? std::copysign(0.0, value)
               : value;
}

double prepared(const Instruction& instruction, double value)
{
    value = flushed(instruction, instruction.from, value);
    if (instruction.whole && is_float(instruction.type))
        value = whole(value, instruction.rounding);
    if (instruction.saturate)
        value = value > 1 ? 1 : value > 0 ? value : 0;
    if (instruction.wait_all) // .relu
        value = value < 0 ? 0 : value;
    return value;
}

uint64_t converted(const Instruction& instruction, uint64_t bits)
{
    if (!is_float(instruction.from))
        return from_whole_number(instruction, bits);
    const double value = float_value(instruction.from, bits);
    if (!is_float(instruction.type))
        return to_whole_number(instruction, flushed(instruction, instruction.from, value));
    const Rounding rounding = instruction.whole ? Rounding::nearest_even : instruction.rounding;
    const double result = prepared(instruction, value);
    if (instruction.type == Type::f32 && instruction.flush && std::fabs(result) < 0x1p-126)
        return std::bit_cast<uint32_t>(std::copysign(0.0f, static_cast<float>(result)));
    return float_bits(instruction.type, result, rounding);
}

template <class To, class From>
void with_floats(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    auto* to = at<To>(registers, instruction.r[0]);
    const auto* from = at<From>(registers, instruction.r[1]);
    for_lanes(mask, [&](int lane) { to[lane] = static_cast<To>(converted(instruction, from[lane])); });
}

// Packs two numbers into one register. The first operand becomes the upper half.
void pack(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    auto* to = at<uint32_t>(registers, instruction.r[0]);
    const auto *high = at<uint32_t>(registers, instruction.r[1]), *low = at<uint32_t>(registers, instruction.r[2]);
    const bool of_bytes = bits_of(instruction.type) == 16;
    const FloatFormat format = instruction.type == Type::f16x2    ? half_format
                               : instruction.type == Type::bf16x2 ? bfloat_format
                               : instruction.type == Type::e4m3x2 ? e4m3_format
                                                                  : e5m2_format;
    for_lanes(mask, [&](int lane) {
        const auto one = [&](uint32_t bits) {
            return encode(prepared(instruction, std::bit_cast<float>(bits)), format, instruction.rounding);
        };
        to[lane] = one(high[lane]) << (of_bytes ? 8 : 16) | one(low[lane]);
    });
}

void unpack_bytes(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    auto* to = at<uint32_t>(registers, instruction.r[0]);
    const auto* from = at<uint32_t>(registers, instruction.r[1]);
    const FloatFormat format = instruction.from == Type::e4m3x2 ? e4m3_format : e5m2_format;
    for_lanes(mask, [&](int lane) {
        to[lane] = encode(decode(from[lane] >> 8 & 0xff, format), half_format) << 16 |
                   encode(decode(from[lane] & 0xff, format), half_format);
    });
}

} // namespace

Arithmetic conversion(const Words& words, Instruction& instruction)
{
    if (words.first != "cvt" || words.types.size() < 2)
        return {};
    instruction.type = words.type(0);
    instruction.from = words.type(1);
    instruction.rounding = rounding_of(words);
    instruction.saturate = words.has("sat");
    instruction.flush = words.has("ftz");
    instruction.wait_all = words.has("relu");
    instruction.whole = words.has("rni") || words.has("rzi") || words.has("rmi") || words.has("rpi");
    constexpr Width word = Width::word, wide = Width::wide;
    const Type to = instruction.type, from = instruction.from;
    if (from == Type::e4m3x2 || from == Type::e5m2x2)
        return to == Type::f16x2 ? Arithmetic{.run = unpack_bytes, .widths = {word, word}} : Arithmetic{};
    if (to == Type::f16x2 || to == Type::bf16x2 || to == Type::e4m3x2 || to == Type::e5m2x2)
        return from == Type::f32 ? Arithmetic{.run = pack, .widths = {word, word, word}} : Arithmetic{};
    const Width to_width = bits_of(to) == 64 ? wide : word, from_width = bits_of(from) == 64 ? wide : word;
    const auto stands_alone = [](Type type) { // whether this machine can read and write single numbers of this type
        return bits_of(type) <= 64 && type != Type::pred && type != Type::e4m3 && type != Type::e5m2;
    };
    if (!stands_alone(to) || !stands_alone(from) || from == Type::f16x2 || from == Type::bf16x2)
        return {};
    if (!is_float(to) && !is_float(from))
        return {.run = between_whole(to, from), .widths = {to_width, from_width}};
    Run run = nullptr;
    if (to_width == wide)
        run = from_width == wide ? with_floats<uint64_t, uint64_t> : with_floats<uint64_t, uint32_t>;
    else
        run = from_width == wide ? with_floats<uint32_t, uint64_t> : with_floats<uint32_t, uint32_t>;
    return {.run = run, .widths = {to_width, from_width}};
}

} // namespace ptx
