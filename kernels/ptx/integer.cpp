// Integer arithmetic: sums, products, quotients, carries.
#include "ptx/arithmetic.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace ptx {

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

template <class T>
constexpr T wrapped(Wide value)
{
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value));
}

template <class T>
T clamped(int64_t value)
{
    return static_cast<T>(std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// The integer type of twice the width, for types of at most 32 bits.
template <class T>
using DoubleUnsigned =
    std::conditional_t<sizeof(T) == 1, uint16_t, std::conditional_t<sizeof(T) == 2, uint32_t, uint64_t>>;
template <class T>
using Double = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<DoubleUnsigned<T>>, DoubleUnsigned<T>>;

template <class T>
constexpr int bits = 8 * sizeof(T);

// Division by zero gives all ones, as hardware does; PTX leaves it open.
template <class T>
T divided(T a, T b)
{
    if (b == 0)
        return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
        if (b == -1)
            return wrapped<T>(-Wide{a});
    return static_cast<T>(a / b);
}

template <class T>
T left_over(T a, T b)
{
    if (b == 0)
        return a;
    if constexpr (std::is_signed_v<T>)
        if (b == -1)
            return 0;
    return static_cast<T>(a % b);
}

template <class T>
Arithmetic binary(std::string_view name)
{
    if (name == "add")
        return lanewise<[](T a, T b) { return wrapped<T>(Wide{a} + b); }>();
    if (name == "sub")
        return lanewise<[](T a, T b) { return wrapped<T>(Wide{a} - b); }>();
    if (name == "div")
        return lanewise<[](T a, T b) { return divided(a, b); }>();
    if (name == "rem")
        return lanewise<[](T a, T b) { return left_over(a, b); }>();
    if (name == "min")
        return lanewise<[](T a, T b) { return std::min(a, b); }>();
    if (name == "max")
        return lanewise<[](T a, T b) { return std::max(a, b); }>();
    if (name == "abs")
        return lanewise<[](T a) { return a < T{0} ? wrapped<T>(-Wide{a}) : a; }>();
    if (name == "neg")
        return lanewise<[](T a) { return wrapped<T>(-Wide{a}); }>();
    if (name == "sad")
        return lanewise<[](T a, T b, T c) { return wrapped<T>(Wide{c} + (a < b ? Wide{b} - a : Wide{a} - b)); }>();
    return {};
}

template <class T>
Arithmetic product(const Words& words)
{
    using D = Double<T>;
    const bool sum = words.first == "mad";
    if (words.has("wide")) { // PTX has .wide for 16 and 32 bits
        if constexpr (bits<T> == 64)
            return {};
        else if (sum)
            return lanewise<[](T a, T b, D c) { return wrapped<D>(Wide{a} * b + c); }>();
        else
            return lanewise<[](T a, T b) { return wrapped<D>(Wide{a} * b); }>();
    }
    // The product of two unsigned 64-bit numbers has 128 bits, which only unsigned arithmetic can hold.
    if (words.has("hi")) {
        if (sum)
            return lanewise<[](T a, T b, T c) {
                if constexpr (std::is_same_v<T, uint64_t>)
                    return wrapped<T>(static_cast<Wide>((UnsignedWide{a} * b) >> 64) + c);
                else
                    return wrapped<T>((Wide{a} * b >> bits<T>)+c);
            }>();
        return lanewise<[](T a, T b) {
            if constexpr (std::is_same_v<T, uint64_t>)
                return wrapped<T>(static_cast<Wide>((UnsignedWide{a} * b) >> 64));
            else
                return wrapped<T>(Wide{a} * b >> bits<T>);
        }>();
    }
    if (sum && words.has("sat"))
        return lanewise<[](T a, T b, T c) {
            return static_cast<T>(
                clamped<int32_t>(static_cast<int64_t>(a) * static_cast<int64_t>(b) + static_cast<int64_t>(c)));
        }>();
    if (sum)
        return lanewise<[](T a, T b, T c) {
            using U = uint64_t;
            return static_cast<T>(static_cast<U>(a) * static_cast<U>(b) + static_cast<U>(c));
        }>();
    return lanewise<[](T a, T b) { return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }>();
}

// Adds with a carry in and out. The carry is in a register of its own, the last of Instruction::r.
template <class T>
Arithmetic with_carry()
{
    using U = std::make_unsigned_t<T>;
    constexpr auto run = [](const Instruction& instruction, std::byte* registers, uint32_t mask) {
        const bool subtracts = instruction.combine == Combine::decrement, in = instruction.truth & 1,
                   out = instruction.truth & 2;
        auto* to = at<Slot<U>>(registers, instruction.r[0]);
        const auto *a = at<Slot<U>>(registers, instruction.r[1]), *b = at<Slot<U>>(registers, instruction.r[2]);
        auto* carry = at<uint32_t>(registers, instruction.r[5]);
        for_lanes(mask, [&](int lane) {
            const Wide x = static_cast<U>(a[lane]), y = static_cast<U>(b[lane]), c = in ? carry[lane] : 0;
            const Wide sum = subtracts ? x - y - c : x + y + c;
            to[lane] = static_cast<U>(sum);
            if (out)
                carry[lane] = subtracts ? sum < 0 : sum >> bits<U> != 0;
        });
    };
    return {.run = run, .widths = {width_of<T>(), width_of<T>(), width_of<T>()}};
}

template <class T>
Arithmetic product_with_carry()
{
    using U = std::make_unsigned_t<T>;
    constexpr auto run = [](const Instruction& instruction, std::byte* registers, uint32_t mask) {
        const bool in = instruction.truth & 1, out = instruction.truth & 2, high = instruction.truth & 4;
        auto* to = at<Slot<U>>(registers, instruction.r[0]);
        const auto *a = at<Slot<U>>(registers, instruction.r[1]), *b = at<Slot<U>>(registers, instruction.r[2]),
                   *c = at<Slot<U>>(registers, instruction.r[3]);
        auto* carry = at<uint32_t>(registers, instruction.r[5]);
        for_lanes(mask, [&](int lane) {
            using Product = UnsignedWide;
            const Product whole = std::is_signed_v<T> && high
                                      ? static_cast<Product>(Wide{static_cast<T>(a[lane])} * static_cast<T>(b[lane]))
                                      : Product{static_cast<U>(a[lane])} * static_cast<U>(b[lane]);
            const U part = static_cast<U>(high ? whole >> bits<U> : whole);
            const Product sum = Product{part} + static_cast<U>(c[lane]) + (in ? carry[lane] : 0);
            to[lane] = static_cast<U>(sum);
            if (out)
                carry[lane] = sum >> bits<U> != 0;
        });
    };
    return {.run = run, .widths = {width_of<T>(), width_of<T>(), width_of<T>(), width_of<T>()}};
}

int64_t low_24(uint32_t value, bool is_signed)
{
    if (is_signed)
        return static_cast<int32_t>(value << 8) >> 8;
    return value & 0xffffff;
}

uint32_t dot(const Instruction& instruction, uint32_t a, uint32_t b, uint32_t c)
{
    const bool a_signed = instruction.truth & 1, b_signed = instruction.truth & 2, of_4 = instruction.truth & 4,
               high = instruction.truth & 8;
    const auto byte = [](uint32_t word, int i, bool is_signed) {
        return is_signed ? static_cast<int8_t>(word >> 8 * i) : static_cast<int>(word >> 8 * i & 0xff);
    };
    const auto half = [](uint32_t word, int i, bool is_signed) {
        return is_signed ? static_cast<int16_t>(word >> 16 * i) : static_cast<int>(word >> 16 * i & 0xffff);
    };
    int64_t sum = 0;
    for (int i = 0; i < (of_4 ? 4 : 2); ++i)
        sum += int64_t{of_4 ? byte(a, i, a_signed) : half(a, i, a_signed)} * byte(b, high ? i + 2 : i, b_signed);
    return static_cast<uint32_t>(sum + c);
}

Arithmetic dot_product(const Words& words, Instruction& instruction)
{
    if (words.first == "dp4a" && (words.has("hi") || words.has("lo"))) // only dp2a selects a half of b
        return {};
    instruction.truth = static_cast<uint8_t>((is_signed(words.type(0)) ? 1 : 0) | (is_signed(words.type(1)) ? 2 : 0) |
                                             (words.first == "dp4a" ? 4 : 0) | (words.has("hi") ? 8 : 0));
    return lanewise<&dot>();
}

// Executes vabsdiff4: computes the absolute differences of the four bytes of a and b. With .add returns their sum plus
// c. Otherwise returns the differences, each in its byte.
uint32_t byte_distances(const Instruction& instruction, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t each = 0, sum = c;
    for (int i = 0; i < 4; ++i) {
        const auto byte = [i](uint32_t word, bool with_sign) {
            const uint32_t bits = word >> 8 * i & 0xff;
            return with_sign ? int{static_cast<int8_t>(bits)} : static_cast<int>(bits);
        };
        const auto apart = static_cast<uint32_t>(
            std::abs(byte(a, (instruction.truth & 1) != 0) - byte(b, (instruction.truth & 2) != 0)));
        each |= (apart & 0xff) << 8 * i;
        sum += apart;
    }
    return (instruction.truth & 4) != 0 ? sum : each;
}

Arithmetic byte_distance(const Words& words, Instruction& instruction)
{
    if (words.types.size() != 3 || words.has("sat") || words.has("simd"))
        return {};
    instruction.truth = static_cast<uint8_t>((is_signed(words.type(1)) ? 1 : 0) | (is_signed(words.type(2)) ? 2 : 0) |
                                             (words.has("add") ? 4 : 0));
    return lanewise<&byte_distances>();
}

uint32_t product_24(const Instruction& i, uint32_t a, uint32_t b, uint32_t c)
{
    const int64_t whole = low_24(a, i.to_signed) * low_24(b, i.to_signed);
    return static_cast<uint32_t>(static_cast<uint32_t>(i.truth != 0 ? whole >> 16 : whole) + c);
}

Arithmetic of_24_bits(const Words& words, Instruction& instruction)
{
    instruction.to_signed = is_signed(words.type());
    instruction.truth = words.has("hi");
    if (words.first == "mad24")
        return lanewise<&product_24>();
    return lanewise<[](const Instruction& i, uint32_t a, uint32_t b) { return product_24(i, a, b, 0); }>();
}

Arithmetic saturated(const Words& words)
{
    if (words.first == "add")
        return lanewise<[](int32_t a, int32_t b) { return clamped<int32_t>(int64_t{a} + b); }>();
    return lanewise<[](int32_t a, int32_t b) { return clamped<int32_t>(int64_t{a} - b); }>();
}

} // namespace

Arithmetic integer_arithmetic(const Words& words, Instruction& instruction)
{
    const Type type = words.type();
    if (words.first == "dp4a" || words.first == "dp2a")
        return dot_product(words, instruction);
    if (words.first == "vabsdiff4")
        return byte_distance(words, instruction);
    if (is_float(type) || type == Type::pred || type == Type::none)
        return {};
    const bool adds = words.first == "add" || words.first == "addc",
               subtracts = words.first == "sub" || words.first == "subc";
    if ((adds || subtracts) && (words.has("cc") || words.first.ends_with('c'))) {
        instruction.combine = subtracts ? Combine::decrement : Combine::add;
        instruction.truth = static_cast<uint8_t>((words.first.ends_with('c') ? 1 : 0) | (words.has("cc") ? 2 : 0));
        return of_integer(type, []<class T>() { return with_carry<T>(); });
    }
    if (words.first == "madc" || (words.first == "mad" && words.has("cc"))) {
        instruction.truth = static_cast<uint8_t>((words.first == "madc" ? 1 : 0) | (words.has("cc") ? 2 : 0) |
                                                 (words.has("hi") ? 4 : 0));
        return of_integer(type, []<class T>() { return product_with_carry<T>(); });
    }
    if ((adds || subtracts) && words.has("sat"))
        return saturated(words);
    if (words.first == "mul24" || words.first == "mad24")
        return of_24_bits(words, instruction);
    if (words.first == "mul" || words.first == "mad")
        return of_integer(type, [&]<class T>() { return product<T>(words); });
    return of_integer(type, [&]<class T>() { return binary<T>(words.first); });
}

} // namespace ptx
