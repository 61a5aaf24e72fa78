// Comparisons: setp to predicates, set to numbers, slct.
#include "ptx/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ptx {

namespace {

struct IsNumber {
    bool operator()(auto a, auto b) const { return !std::isnan(a) && !std::isnan(b); }
};
struct IsNan {
    bool operator()(auto a, auto b) const { return std::isnan(a) || std::isnan(b); }
};
template <class Relation>
constexpr bool asks_for_nan = std::is_same_v<Relation, IsNumber> || std::is_same_v<Relation, IsNan>;

template <class T>
constexpr T comparable(T value)
{
    return value;
}

struct HalfBits {
    uint32_t bits;
};
struct BfloatBits {
    uint32_t bits;
};
inline float comparable(HalfBits value)
{
    return half_to_float(static_cast<uint16_t>(value.bits));
}
inline float comparable(BfloatBits value)
{
    return std::bit_cast<float>(value.bits << 16);
}

template <class T>
T loaded(Slot<T> slot)
{
    if constexpr (std::is_same_v<T, HalfBits> || std::is_same_v<T, BfloatBits>)
        return T{slot};
    else
        return value_of<T>(slot);
}

// `unordered` is the result if an operand is NaN.
template <class Relation, class T>
bool holds(T a, T b, bool unordered)
{
    if constexpr (std::is_floating_point_v<T> && !asks_for_nan<Relation>)
        if (std::isnan(a) || std::isnan(b))
            return unordered;
    return Relation{}(a, b);
}

template <class Relation, class T>
uint32_t compared(const Instruction& instruction, std::byte* registers, uint32_t mask, uint32_t a, uint32_t b)
{
    const auto *x = at<Slot<T>>(registers, a), *y = at<Slot<T>>(registers, b);
    uint32_t result = 0;
    const bool unordered = instruction.saturate;
    for_lanes(mask, [&](int lane) {
        const auto left = comparable(loaded<T>(x[lane])), right = comparable(loaded<T>(y[lane]));
        result |= static_cast<uint32_t>(holds<Relation>(left, right, unordered)) << lane;
    });
    return result;
}

uint32_t combined(const Instruction& instruction, uint32_t with, uint32_t result)
{
    if (instruction.truth != 0)
        with = ~with;
    switch (instruction.combine) {
    case Combine::bit_and: return result & with;
    case Combine::bit_or: return result | with;
    case Combine::bit_xor: return result ^ with;
    default: return result;
    }
}

// Executes setp. Instruction::r contains p, q, a, b and c.
template <class Relation, class T>
void set_predicate(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    const auto& r = instruction.r;
    const uint32_t result = compared<Relation, T>(instruction, registers, mask, r[2], r[3]);
    const uint32_t with = r[4] == no_register ? 0 : *at<uint32_t>(registers, r[4]);
    const auto put = [&](uint32_t to, uint32_t value) {
        if (to != no_register)
            write_bits(registers, to, mask, value);
    };
    put(r[0], combined(instruction, with, result));
    put(r[1], combined(instruction, with, ~result));
}

// Executes set. Instruction::r contains d, a, b and c.
template <class Relation, class T>
void set_number(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    const auto& r = instruction.r;
    const uint32_t with = r[3] == no_register ? 0 : *at<uint32_t>(registers, r[3]);
    const uint32_t result =
        combined(instruction, with, compared<Relation, T>(instruction, registers, mask, r[1], r[2]));
    auto* to = at<uint32_t>(registers, r[0]);
    const uint32_t yes = is_float(instruction.type) ? std::bit_cast<uint32_t>(1.0f) : ~0u;
    for_lanes(mask, [&](int lane) { to[lane] = result >> lane & 1 ? yes : 0; });
}

template <class T, bool to_predicate, class... Relations>
Run chosen(std::size_t relation)
{
    constexpr std::array<Run, sizeof...(Relations)> runs = {to_predicate ? Run{set_predicate<Relations, T>}
                                                                         : Run{set_number<Relations, T>}...};
    return relation < runs.size() ? runs[relation] : nullptr;
}

// `relation` is a number of `names`. The last two relations exist only for floating-point numbers.
template <class T, bool to_predicate>
Run with(std::size_t relation)
{
    using std::equal_to, std::not_equal_to, std::less, std::less_equal, std::greater, std::greater_equal;
    if constexpr (std::is_integral_v<T>)
        return chosen<T, to_predicate, equal_to<>, not_equal_to<>, less<>, less_equal<>, greater<>, greater_equal<>>(
            relation);
    else
        return chosen<T, to_predicate, equal_to<>, not_equal_to<>, less<>, less_equal<>, greater<>, greater_equal<>,
                      IsNumber, IsNan>(relation);
}

template <bool to_predicate>
Run of_type(Type type, std::size_t relation)
{
    switch (type) {
    case Type::f16: return with<HalfBits, to_predicate>(relation);
    case Type::bf16: return with<BfloatBits, to_predicate>(relation);
    case Type::f32: return with<float, to_predicate>(relation);
    case Type::f64: return with<double, to_predicate>(relation);
    default: return of_integer(type, [relation]<class T>() { return with<T, to_predicate>(relation); });
    }
}

struct Named {
    std::string_view name;
    std::size_t relation = 0;
    bool unordered = false; // true if an operand is NaN
};

constexpr std::array names = {
    Named{"eq", 0},        Named{"ne", 1},        Named{"lt", 2},        Named{"le", 3},        Named{"gt", 4},
    Named{"ge", 5},        Named{"lo", 2},        Named{"ls", 3},        Named{"hi", 4},        Named{"hs", 5},
    Named{"equ", 0, true}, Named{"neu", 1, true}, Named{"ltu", 2, true}, Named{"leu", 3, true}, Named{"gtu", 4, true},
    Named{"geu", 5, true}, Named{"num", 6},       Named{"nan", 7},
};

bool takes_first(const Instruction& i, uint32_t c)
{
    return i.to_signed ? static_cast<int32_t>(c) >= 0 : std::bit_cast<float>(c) >= 0;
}

Arithmetic chosen_by_sign(const Words& words, Instruction& instruction)
{
    instruction.to_signed = words.type(1) == Type::s32;
    if (bits_of(words.type()) == 64)
        return lanewise<[](const Instruction& i, uint64_t a, uint64_t b, uint32_t c) {
            return takes_first(i, c) ? a : b;
        }>();
    return lanewise<[](const Instruction& i, uint32_t a, uint32_t b, uint32_t c) {
        return takes_first(i, c) ? a : b;
    }>();
}

} // namespace

Arithmetic comparison(const Words& words, Instruction& instruction)
{
    if (words.first == "slct")
        return chosen_by_sign(words, instruction);
    const bool to_predicate = words.first == "setp";
    if ((!to_predicate && words.first != "set") || words.rest.empty())
        return {};
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const Named& one) { return one.name == words.rest.front(); });
    if (found == names.end() || words.types.empty())
        return {};
    instruction.saturate = found->unordered;
    instruction.combine = words.has("and")   ? Combine::bit_and
                          : words.has("or")  ? Combine::bit_or
                          : words.has("xor") ? Combine::bit_xor
                                             : Combine::none;
    instruction.type = words.type();
    const Type type = words.types.back();
    const Width width = bits_of(type) == 64 ? Width::wide : Width::word;
    Arithmetic result;
    if (to_predicate) {
        result = {.run = of_type<true>(type, found->relation),
                  .widths = {Width::predicate, Width::predicate, width, width},
                  .results = 2,
                  .optional_result = true};
        if (instruction.combine != Combine::none)
            result.widths[4] = Width::predicate;
    } else {
        result = {.run = of_type<false>(type, found->relation), .widths = {Width::word, width, width}};
        if (instruction.combine != Combine::none)
            result.widths[3] = Width::predicate;
    }
    return result;
}

} // namespace ptx
