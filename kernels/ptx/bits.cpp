// Bits: logic, shifts, fields, permutations, selection.
#include "ptx/arithmetic.h"

#include <algorithm>

namespace ptx {

namespace {

// Applies f to predicates, in the lanes of the mask. Other lanes keep their bits.
template <auto f>
void on_predicates(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    const auto of = [&](std::size_t i) { return *at<uint32_t>(registers, instruction.r[i]); };
    if constexpr (std::is_invocable_v<decltype(f), uint32_t, uint32_t>)
        write_bits(registers, instruction.r[0], mask, f(of(1), of(2)));
    else
        write_bits(registers, instruction.r[0], mask, f(of(1)));
}

Arithmetic predicate_logic(std::string_view name)
{
    constexpr Width p = Width::predicate;
    if (name == "and")
        return {.run = on_predicates<[](uint32_t a, uint32_t b) { return a & b; }>, .widths = {p, p, p}};
    if (name == "or")
        return {.run = on_predicates<[](uint32_t a, uint32_t b) { return a | b; }>, .widths = {p, p, p}};
    if (name == "xor")
        return {.run = on_predicates<[](uint32_t a, uint32_t b) { return a ^ b; }>, .widths = {p, p, p}};
    if (name == "not")
        return {.run = on_predicates<[](uint32_t a) { return ~a; }>, .widths = {p, p}};
    if (name == "mov")
        return {.run = on_predicates<[](uint32_t a) { return a; }>, .widths = {p, p}};
    return {};
}

template <class T>
Arithmetic logic(std::string_view name)
{
    constexpr int bits = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    if (name == "and")
        return lanewise<[](U a, U b) { return static_cast<U>(a & b); }>();
    if (name == "or")
        return lanewise<[](U a, U b) { return static_cast<U>(a | b); }>();
    if (name == "xor")
        return lanewise<[](U a, U b) { return static_cast<U>(a ^ b); }>();
    if (name == "not")
        return lanewise<[](U a) { return static_cast<U>(~a); }>();
    if (name == "cnot")
        return lanewise<[](U a) { return static_cast<U>(a == 0 ? 1 : 0); }>();
    if (name == "shl")
        return lanewise<[](U a, uint32_t b) { return static_cast<U>(b >= bits ? 0 : a << b); }>();
    if (name == "shr")
        return lanewise<[](T a, uint32_t b) {
            const uint32_t by = std::min<uint32_t>(b, bits - 1);
            return static_cast<T>(b >= bits && std::is_unsigned_v<T> ? T{0} : static_cast<T>(a >> by));
        }>();
    if (name == "popc")
        return lanewise<[](U a) { return static_cast<uint32_t>(std::popcount(a)); }>();
    if (name == "clz")
        return lanewise<[](U a) { return static_cast<uint32_t>(std::countl_zero(a)); }>();
    if (name == "brev")
        return lanewise<[](U a) {
            U result = 0;
            for (int i = 0; i < bits; ++i)
                result = static_cast<U>(result | ((a >> i & 1) << (bits - 1 - i)));
            return result;
        }>();
    if (name == "mov")
        return lanewise<[](U a) { return a; }>();
    return {};
}

// Returns the number of the highest bit that is set, or for a negative number, of the highest that is not set. With
// .shiftamt, counts from the other end.
template <class T>
uint32_t highest_bit(const Instruction& instruction, T a)
{
    using U = std::make_unsigned_t<T>;
    const U bits = static_cast<U>(a < T{0} ? ~a : a);
    if (bits == 0)
        return ~0u;
    const int at_bit = static_cast<int>(8 * sizeof(T)) - 1 - std::countl_zero(bits);
    return static_cast<uint32_t>(instruction.truth != 0 ? static_cast<int>(8 * sizeof(T)) - 1 - at_bit : at_bit);
}

template <class T>
T extracted(T a, uint32_t b, uint32_t c)
{
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t bits = 8 * sizeof(T);
    const uint32_t at_bit = b & 0xff, length = c & 0xff;
    if (length == 0)
        return 0;
    const uint32_t last = std::min(at_bit + length - 1, bits - 1);
    const bool sign = std::is_signed_v<T> && (static_cast<U>(a) >> last & 1) != 0;
    U result = at_bit >= bits ? U{0} : static_cast<U>(static_cast<U>(a) >> at_bit);
    const uint32_t kept = at_bit >= bits ? 0 : last - at_bit + 1;
    const U ones = kept >= bits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << kept) - 1);
    result = static_cast<U>(result & ones);
    const U above = static_cast<U>(~ones);
    return static_cast<T>(sign ? static_cast<U>(result | above) : result);
}

template <class U>
U inserted(U a, U b, uint32_t c, uint32_t d)
{
    constexpr uint32_t bits = 8 * sizeof(U);
    const uint32_t at_bit = c & 0xff, length = d & 0xff;
    if (length == 0 || at_bit >= bits)
        return b;
    const U ones = static_cast<U>((length >= bits ? ~U{0} : (U{1} << length) - 1) << at_bit);
    return static_cast<U>((b & ~ones) | ((a << at_bit) & ones));
}

uint32_t permuted(const Instruction& instruction, uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t bytes = uint64_t{b} << 32 | a;
    const auto byte = [bytes](uint32_t i) { return static_cast<uint32_t>(bytes >> 8 * (i & 7) & 0xff); };
    uint32_t result = 0;
    const uint32_t first = selector & 3;
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t value = 0;
        switch (instruction.truth) {
        case 1: value = byte(first + i); break;                 // f4e
        case 2: value = byte(first - i); break;                 // b4e
        case 3: value = byte(first); break;                     // rc8
        case 4: value = byte(std::max(i, first)); break;        // ecl
        case 5: value = byte(std::min(i, first)); break;        // ecr
        case 6: value = byte((first & 1) * 2 + (i & 1)); break; // rc16
        default: {
            const uint32_t select = selector >> 4 * i & 0xf;
            value = byte(select);
            if ((select & 8) != 0)
                value = (value & 0x80) != 0 ? 0xff : 0;
        }
        }
        result |= value << 8 * i;
    }
    return result;
}

uint32_t any_logic(const Instruction& instruction, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
    for (uint32_t row = 0; row < 8; ++row)
        if ((instruction.truth >> row & 1) != 0)
            result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    return result;
}

uint32_t funnel(const Instruction& instruction, uint32_t a, uint32_t b, uint32_t c)
{
    const bool left = instruction.truth & 1, clamps = instruction.truth & 2;
    const uint32_t by = clamps ? std::min(c, 32u) : c & 31;
    const uint64_t both = uint64_t{b} << 32 | a;
    return static_cast<uint32_t>(left ? (both << by) >> 32 : both >> by);
}

template <class U>
void select(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    auto* to = at<U>(registers, instruction.r[0]);
    const auto *a = at<U>(registers, instruction.r[1]), *b = at<U>(registers, instruction.r[2]);
    const uint32_t p = *at<uint32_t>(registers, instruction.r[3]);
    for_lanes(mask, [&](int lane) { to[lane] = p >> lane & 1 ? a[lane] : b[lane]; });
}

Arithmetic permutation(const Words& words, Instruction& instruction)
{
    constexpr std::array<std::string_view, 6> modes = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    for (std::size_t i = 0; i < modes.size(); ++i)
        if (words.has(modes[i]))
            instruction.truth = static_cast<uint8_t>(i + 1);
    return lanewise<&permuted>();
}

Arithmetic bit_mask(Instruction& instruction, bool wraps)
{
    instruction.truth = wraps;
    return lanewise<[](const Instruction& i, uint32_t a, uint32_t b) {
        const uint32_t start = i.truth != 0 ? a & 31 : std::min(a, 32u),
                       length = i.truth != 0 ? b & 31 : std::min(b, 32u);
        const uint64_t ones = ((uint64_t{1} << length) - 1) << start;
        return static_cast<uint32_t>(ones);
    }>();
}

} // namespace

Arithmetic bit_arithmetic(const Words& words, Instruction& instruction)
{
    const Type type = words.type();
    const int bits = bits_of(type);
    if (type == Type::pred)
        return predicate_logic(words.first);
    if (words.first == "selp") {
        if (bits == 64)
            return {.run = select<uint64_t>, .widths = {Width::wide, Width::wide, Width::wide, Width::predicate}};
        return {.run = select<uint32_t>, .widths = {Width::word, Width::word, Width::word, Width::predicate}};
    }
    if (words.first == "mov" && is_float(type))
        return bits == 64 ? lanewise<[](uint64_t a) { return a; }>() : lanewise<[](uint32_t a) { return a; }>();
    if (is_float(type))
        return {};
    if (words.first == "lop3")
        return lanewise<&any_logic>();
    if (words.first == "shf") {
        instruction.truth = static_cast<uint8_t>((words.has("l") ? 1 : 0) | (words.has("clamp") ? 2 : 0));
        return lanewise<&funnel>();
    }
    if (words.first == "prmt")
        return permutation(words, instruction);
    if (words.first == "bmsk")
        return bit_mask(instruction, words.has("wrap"));
    if (words.first == "bfind") {
        instruction.truth = words.has("shiftamt");
        return of_integer(type, []<class T>() { return lanewise<&highest_bit<T>>(); });
    }
    if (words.first == "bfe")
        return of_integer(type, []<class T>() { return lanewise<&extracted<T>>(); });
    if (words.first == "bfi")
        return bits == 64 ? lanewise<&inserted<uint64_t>>() : lanewise<&inserted<uint32_t>>();
    return of_integer(type, [&]<class T>() { return logic<T>(words.first); });
}

} // namespace ptx
