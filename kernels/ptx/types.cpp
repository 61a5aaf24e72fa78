#include "ptx/types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <utility>

namespace ptx {

namespace {

using Row = std::pair<std::string_view, Type>;
constexpr std::array rows = {
    Row{"pred", Type::pred}, Row{"b8", Type::b8},         Row{"b16", Type::b16},       Row{"b32", Type::b32},
    Row{"b64", Type::b64},   Row{"b128", Type::b128},     Row{"u8", Type::u8},         Row{"u16", Type::u16},
    Row{"u32", Type::u32},   Row{"u64", Type::u64},       Row{"s8", Type::s8},         Row{"s16", Type::s16},
    Row{"s32", Type::s32},   Row{"s64", Type::s64},       Row{"f16", Type::f16},       Row{"f16x2", Type::f16x2},
    Row{"bf16", Type::bf16}, Row{"bf16x2", Type::bf16x2}, Row{"tf32", Type::tf32},     Row{"f32", Type::f32},
    Row{"f64", Type::f64},   Row{"e4m3x2", Type::e4m3x2}, Row{"e5m2x2", Type::e5m2x2}, Row{"e4m3", Type::e4m3},
    Row{"e5m2", Type::e5m2},
};

} // namespace

std::optional<Type> type_of(std::string_view word)
{
    const auto found = std::ranges::find(rows, word, &Row::first);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
}

int bits_of(Type type)
{
    switch (type) {
    case Type::none: return 0;
    case Type::pred: return 1;
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2: return 8;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2: return 16;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64: return 64;
    case Type::b128: return 128;
    default: return 32;
    }
}

bool is_float(Type type)
{
    return type >= Type::f16;
}

bool is_signed(Type type)
{
    return type >= Type::s8 && type <= Type::s64;
}

Words::Words(std::string_view whole) : name(whole)
{
    std::size_t at = 0;
    while (at <= whole.size()) {
        const std::size_t end = std::min(whole.find('.', at), whole.size());
        const std::string_view word = whole.substr(at, end - at);
        if (at == 0)
            first = word;
        else
            rest.push_back(word);
        if (const std::optional<Type> type = type_of(word); type && at > 0)
            types.push_back(*type);
        at = end + 1;
    }
}

bool Words::has(std::string_view word) const
{
    return std::ranges::find(rest, word) != rest.end();
}

namespace {

int mode_of(Rounding rounding)
{
    switch (rounding) {
    case Rounding::to_zero: return FE_TOWARDZERO;
    case Rounding::down: return FE_DOWNWARD;
    case Rounding::up: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

// Returns whether rounding raises the magnitude. `rest` is the part that is cut off, `half` is half of the least bit
// that is kept, and `odd` is that bit.
bool goes_up(uint64_t rest, uint64_t half, bool odd, bool negative, Rounding rounding)
{
    switch (rounding) {
    case Rounding::nearest_even: return rest > half || (rest == half && odd);
    case Rounding::nearest_away: return rest >= half;
    case Rounding::to_zero: return false;
    case Rounding::down: return rest != 0 && negative;
    case Rounding::up: return rest != 0 && !negative;
    }
    return false;
}

} // namespace

RoundingMode::RoundingMode(Rounding rounding)
{
    std::fesetround(mode_of(rounding));
}

RoundingMode::~RoundingMode()
{
    std::fesetround(FE_TONEAREST);
}

uint32_t encode(double value, FloatFormat format, Rounding rounding)
{
    const auto [exponent_bits, mantissa_bits, has_infinity] = format;
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    const bool negative = bits >> 63 != 0;
    const uint32_t sign = negative ? 1u << (exponent_bits + mantissa_bits) : 0;
    const uint32_t top = ((1u << exponent_bits) - 1) << mantissa_bits; // the exponent of infinity
    if (std::isnan(value))
        return top | ((1u << mantissa_bits) - 1);
    const uint32_t largest = has_infinity ? top - 1 : top + (1u << mantissa_bits) - 2;
    if (std::isinf(value))
        return sign | (has_infinity ? top : largest);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
    if (exponent == -1023)
        exponent = -1022; // a denormal double is far below all formats here
    else
        mantissa |= uint64_t{1} << 52;
    int cut = 52 - mantissa_bits;
    const int least = 1 - bias;
    if (exponent < least)
        cut = std::min(cut + least - exponent, 63);
    const uint64_t rest = mantissa & ((uint64_t{1} << cut) - 1);
    uint64_t kept = mantissa >> cut;
    if (goes_up(rest, uint64_t{1} << (cut - 1), (kept & 1) != 0, negative, rounding))
        ++kept;
    // A carry out of the mantissa increments the exponent, as rounding up requires.
    const uint64_t result =
        exponent < least ? kept : kept + (static_cast<uint64_t>(exponent + bias - 1) << mantissa_bits);
    if (result > largest) {
        const bool cut_off = rounding == Rounding::to_zero || (rounding == Rounding::down && !negative) ||
                             (rounding == Rounding::up && negative);
        return sign | (cut_off || !has_infinity ? largest : top);
    }
    return sign | static_cast<uint32_t>(result);
}

double decode(uint32_t bits, FloatFormat format)
{
    const auto [exponent_bits, mantissa_bits, has_infinity] = format;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const bool negative = bits >> (exponent_bits + mantissa_bits) & 1;
    const int exponent = static_cast<int>(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
    const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    const double sign = negative ? -1.0 : 1.0;
    const bool top = exponent == (1 << exponent_bits) - 1;
    if (top && has_infinity)
        return mantissa == 0 ? sign * INFINITY : NAN;
    if (top && mantissa == (1u << mantissa_bits) - 1)
        return NAN;
    if (exponent == 0)
        return sign * std::ldexp(static_cast<double>(mantissa), 1 - bias - mantissa_bits);
    return sign * std::ldexp(static_cast<double>(mantissa | 1u << mantissa_bits), exponent - bias - mantissa_bits);
}

double product_sum(double a, double b, double c)
{
    const double product = a * b; // exact: 48 bits
    const double sum = product + c;
    if (!std::isfinite(sum))
        return sum;
    const double back = sum - product, error = (product - (sum - back)) + (c - back);
    const uint64_t bits = std::bit_cast<uint64_t>(sum);
    if (error == 0 || (bits & 1) != 0)
        return sum;
    // The sum is rounded and even. Returns its odd neighbour on the side of the exact sum.
    const bool away = (error > 0) == (sum > 0);
    return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

double whole(double value, Rounding rounding)
{
    switch (rounding) {
    case Rounding::nearest_even: return std::nearbyint(value);
    case Rounding::nearest_away: return std::round(value);
    case Rounding::to_zero: return std::trunc(value);
    case Rounding::down: return std::floor(value);
    case Rounding::up: return std::ceil(value);
    }
    return value;
}

} // namespace ptx
