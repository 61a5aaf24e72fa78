#include "machine_code/ptx_arithmetic.h"

#include <algorithm>
#include <bit>

namespace cuda {

namespace {

uint64_t low_bits(uint64_t value, uint64_t bits)
{
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

template <class T>
bool holds(PtxCompare compare, T a, T b)
{
    switch (compare) {
    case PtxCompare::equal: return a == b;
    case PtxCompare::not_equal: return a != b;
    case PtxCompare::less: return a < b;
    case PtxCompare::less_equal: return a <= b;
    case PtxCompare::greater: return a > b;
    case PtxCompare::greater_equal: return a >= b;
    }
    return false;
}

bool compare(const PtxStatement& statement, uint64_t a, uint64_t b)
{
    if (statement.type.is_float && statement.type.bits == 32)
        return holds(statement.compare, std::bit_cast<float>(static_cast<uint32_t>(a)),
                     std::bit_cast<float>(static_cast<uint32_t>(b)));
    a = ptx_extended(a, statement.type);
    b = ptx_extended(b, statement.type);
    return statement.type.is_signed ? holds(statement.compare, static_cast<int64_t>(a), static_cast<int64_t>(b))
                                    : holds(statement.compare, a, b);
}

uint64_t divided(const PtxStatement& statement, uint64_t a, uint64_t b)
{
    if (b == 0)
        return ~uint64_t{0};
    const bool rest = statement.code == PtxCode::remainder;
    if (!statement.type.is_signed)
        return rest ? a % b : a / b;
    const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
    if (y == -1)
        return rest ? 0 : 0 - a;
    return static_cast<uint64_t>(rest ? x % y : x / y);
}

uint64_t shifted_right(uint64_t value, uint64_t by, PtxType type)
{
    if (!type.is_signed)
        return by >= 64 ? 0 : value >> by;
    return static_cast<uint64_t>(static_cast<int64_t>(value) >> std::min<uint64_t>(by, 63));
}

// a's low bits into b, `length` of them from `start` on.
uint64_t inserted(uint64_t a, uint64_t b, uint64_t start, uint64_t length)
{
    start = low_bits(start, 8);
    if (start >= 64)
        return b;
    const uint64_t mask = low_bits(~uint64_t{0}, low_bits(length, 8)) << start;
    return (b & ~mask) | (a << start & mask);
}

uint64_t extracted(uint64_t value, uint64_t start, uint64_t length, PtxType type)
{
    const uint64_t bits = low_bits(length, 8);
    const uint64_t part = low_bits(low_bits(start, 8) >= 64 ? 0 : value >> low_bits(start, 8), bits);
    return bits == 0 ? 0 : ptx_extended(part, {static_cast<int>(std::min<uint64_t>(bits, 64)), type.is_signed, false});
}

// Of 32-bit operands, or of 64-bit ones.
uint64_t high_half(uint64_t a, uint64_t b, PtxType type)
{
    if (type.bits < 64)
        return a * b >> type.bits;
    const auto low = [](uint64_t value) { return value & 0xffffffff; };
    const uint64_t middle = (a >> 32) * low(b) + (low(a) * low(b) >> 32);
    const uint64_t other = low(a) * (b >> 32) + low(middle);
    const uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    if (!type.is_signed)
        return high;
    return high - (static_cast<int64_t>(a) < 0 ? b : 0) - (static_cast<int64_t>(b) < 0 ? a : 0);
}

uint64_t raw_result(const PtxStatement& statement, const std::array<uint64_t, 4>& in)
{
    const PtxType type = statement.type;
    const uint64_t a = ptx_extended(in[0], type), b = ptx_extended(in[1], type);
    const bool a_first = type.is_signed ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
    switch (statement.code) {
    case PtxCode::add: return a + b;
    case PtxCode::sub: return a - b;
    case PtxCode::mul_low:
    case PtxCode::mul_wide: return a * b;
    case PtxCode::mul_high: return high_half(a, b, type);
    case PtxCode::mad_low:
    case PtxCode::mad_wide: return a * b + in[2];
    case PtxCode::divide:
    case PtxCode::remainder: return divided(statement, a, b);
    case PtxCode::minimum: return a_first ? a : b;
    case PtxCode::maximum: return a_first ? b : a;
    case PtxCode::shift_left: return low_bits(in[1], 32) >= 64 ? 0 : a << low_bits(in[1], 32);
    case PtxCode::shift_right: return shifted_right(a, low_bits(in[1], 32), type);
    case PtxCode::bit_and: return a & b;
    case PtxCode::bit_or: return a | b;
    case PtxCode::bit_xor: return a ^ b;
    case PtxCode::bit_not: return type.bits == 1 ? uint64_t{a == 0} : ~a;
    case PtxCode::negate: return 0 - a;
    case PtxCode::absolute: return static_cast<int64_t>(a) < 0 ? 0 - a : a;
    case PtxCode::convert: return ptx_extended(in[0], statement.from);
    case PtxCode::select: return in[2] != 0 ? in[0] : in[1];
    case PtxCode::compare: return compare(statement, in[0], in[1]);
    case PtxCode::insert_bits: return inserted(in[0], in[1], in[2], in[3]);
    case PtxCode::extract_bits: return extracted(a, in[1], in[2], type);
    default: return in[0]; // move
    }
}

} // namespace

uint64_t ptx_extended(uint64_t value, PtxType type)
{
    if (type.bits >= 64)
        return value;
    const uint64_t low = low_bits(value, static_cast<uint64_t>(type.bits));
    const bool negative = type.is_signed && low >> (type.bits - 1) & 1;
    return negative ? low | ~uint64_t{0} << type.bits : low;
}

uint64_t ptx_result(const PtxStatement& statement, const std::array<uint64_t, 4>& in)
{
    const uint64_t raw = raw_result(statement, in);
    if (statement.code == PtxCode::compare)
        return raw;
    PtxType type = statement.type;
    if (statement.code == PtxCode::mul_wide || statement.code == PtxCode::mad_wide)
        type.bits *= 2;
    return ptx_extended(raw, type);
}

} // namespace cuda
