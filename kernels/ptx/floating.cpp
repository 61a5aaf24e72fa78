// Floating-point arithmetic in 32 and 64 bits. Results rounded to the nearest are computed by the CPU itself.

#include "ptx/arithmetic.h"

#include <cmath>
#include <limits>

namespace ptx {

namespace {

template <class T>
T flushed(const Instruction& instruction, T value)
{
    return instruction.flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

template <class T>
T finished(const Instruction& instruction, T value)
{
    value = flushed(instruction, value);
    if (instruction.saturate)
        value = value > T{1} ? T{1} : value > T{0} ? value : T{0}; // a NaN becomes 0
    return value;
}

template <class T>
T smaller(T a, T b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) ? b : a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
}

template <class T>
T larger(T a, T b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) ? b : a;
    return a > b || (a == b && std::signbit(b)) ? a : b;
}

// Computes min and max. The two lowest bits of `truth` mean .NaN and .xorsign.abs.
template <class T, bool least>
T extreme(const Instruction& instruction, T a, T b)
{
    if ((instruction.truth & 1) != 0 && (std::isnan(a) || std::isnan(b)))
        return std::numeric_limits<T>::quiet_NaN();
    a = flushed(instruction, a), b = flushed(instruction, b);
    const bool sign = std::signbit(a) != std::signbit(b);
    if ((instruction.truth & 2) != 0)
        a = std::fabs(a), b = std::fabs(b);
    const T result = least ? smaller(a, b) : larger(a, b);
    return (instruction.truth & 2) != 0 ? std::copysign(result, sign ? T{-1} : T{1}) : result;
}

template <class T, auto f, class Operands>
struct Modified;
template <class T, auto f, class... S>
struct Modified<T, f, std::tuple<S...>> {
    static T of(const Instruction& i, S... s)
    {
        if (i.rounding == Rounding::nearest_even) // the CPU's own rounding mode
            return finished<T>(i, f(flushed(i, s)...));
        return finished<T>(i, rounded<T>(i.rounding, f, flushed(i, s)...));
    }
};

// Returns f with the modifiers that an instruction may have: rounding, flushing, saturation.
template <auto f>
Arithmetic modified()
{
    using Of = Signature<decltype(f)>;
    return lanewise<&Modified<typename Of::Result, f, typename Of::Operands>::of>();
}

template <auto f>
Arithmetic exactly(bool is_plain)
{
    return is_plain ? lanewise<f>() : modified<f>();
}

#if defined(__x86_64__)
// Executes fma. std::fma is a function call for each lane, because not every CPU has the instruction. CPUs with it
// compute 8 lanes at once, with the same bits, because both round once.
template <class T>
__attribute__((target("avx2,fma"))) void fused_lanes(const Instruction& instruction, std::byte* registers,
                                                     uint32_t mask)
{
    auto* const to = at<Slot<T>>(registers, instruction.r[0]);
    const auto *const a = at<Slot<T>>(registers, instruction.r[1]), *const b = at<Slot<T>>(registers, instruction.r[2]),
                      *const c = at<Slot<T>>(registers, instruction.r[3]);
    if (mask == ~0u)
        for (int lane = 0; lane < lane_count; ++lane)
            to[lane] = slot_of(std::fma(value_of<T>(a[lane]), value_of<T>(b[lane]), value_of<T>(c[lane])));
    else
        for (; mask != 0; mask &= mask - 1) {
            const int lane = std::countr_zero(mask);
            to[lane] = slot_of(std::fma(value_of<T>(a[lane]), value_of<T>(b[lane]), value_of<T>(c[lane])));
        }
}
#endif

template <class T>
Arithmetic plain_fused()
{
    Arithmetic result = lanewise<[](T a, T b, T c) { return std::fma(a, b, c); }>();
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        result.run = &fused_lanes<T>;
#endif
    return result;
}

template <class T>
Arithmetic exact(const Words& words, bool is_plain)
{
    const std::string_view name = words.first;
    if (name == "add")
        return exactly<[](T a, T b) { return a + b; }>(is_plain);
    if (name == "sub")
        return exactly<[](T a, T b) { return a - b; }>(is_plain);
    if (name == "mul")
        return exactly<[](T a, T b) { return a * b; }>(is_plain);
    if (name == "fma" || name == "mad")
        return is_plain ? plain_fused<T>() : modified<[](T a, T b, T c) { return std::fma(a, b, c); }>();
    if (name == "div")
        return exactly<[](T a, T b) { return a / b; }>(is_plain);
    if (name == "rcp")
        return exactly<[](T a) { return T{1} / a; }>(is_plain);
    if (name == "sqrt")
        return exactly<[](T a) { return std::sqrt(a); }>(is_plain);
    if (name == "neg")
        return lanewise<[](const Instruction& i, T a) { return flushed(i, -a); }>();
    if (name == "abs")
        return lanewise<[](const Instruction& i, T a) { return flushed(i, std::fabs(a)); }>();
    if (name == "copysign")
        return lanewise<[](T a, T b) { return std::copysign(b, a); }>();
    return {};
}

// Decodes functions that the hardware approximates with tables. PTX bounds their error and leaves the bits open. The
// CPU's functions are closer to the exact value.
Arithmetic approximated(const Words& words)
{
    const std::string_view name = words.first;
    if (name == "ex2")
        return modified<[](float a) { return std::exp2(a); }>();
    if (name == "lg2")
        return modified<[](float a) { return std::log2(a); }>();
    if (name == "sin")
        return modified<[](float a) { return std::sin(a); }>();
    if (name == "cos")
        return modified<[](float a) { return std::cos(a); }>();
    if (name == "tanh")
        return modified<[](float a) { return std::tanh(a); }>();
    if (name == "rsqrt" && words.type() == Type::f64)
        return modified<[](double a) { return 1 / std::sqrt(a); }>();
    if (name == "rsqrt")
        return modified<[](float a) { return static_cast<float>(1 / std::sqrt(double{a})); }>();
    return {};
}

template <class T>
Arithmetic tested(const Words& words, Instruction& instruction)
{
    constexpr std::array<std::string_view, 6> kinds = {"finite",     "infinite", "number",
                                                       "notanumber", "normal",   "subnormal"};
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (words.has(kinds[i]))
            instruction.truth = static_cast<uint8_t>(i);
    constexpr auto run = [](const Instruction& i, std::byte* registers, uint32_t mask) {
        const auto* from = at<Slot<T>>(registers, i.r[1]);
        uint32_t result = 0;
        for_lanes(mask, [&](int lane) {
            const T a = value_of<T>(from[lane]);
            const int kind = std::fpclassify(a);
            const std::array<bool, 6> is = {
                std::isfinite(a),    std::isinf(a), !std::isnan(a), std::isnan(a), kind == FP_NORMAL || kind == FP_ZERO,
                kind == FP_SUBNORMAL};
            result |= static_cast<uint32_t>(is[i.truth]) << lane;
        });
        write_bits(registers, i.r[0], mask, result);
    };
    return {.run = run, .widths = {Width::predicate, width_of<T>()}};
}

} // namespace

Arithmetic float_arithmetic(const Words& words, Instruction& instruction)
{
    const Type type = words.type();
    if (type != Type::f32 && type != Type::f64)
        return {};
    instruction.rounding = rounding_of(words);
    instruction.flush = words.has("ftz") && type == Type::f32;
    instruction.saturate = words.has("sat");
    if (words.first == "testp")
        return type == Type::f32 ? tested<float>(words, instruction) : tested<double>(words, instruction);
    if (words.first == "min" || words.first == "max") {
        const bool least = words.first == "min";
        instruction.truth = static_cast<uint8_t>((words.has("NaN") ? 1 : 0) | (words.has("xorsign") ? 2 : 0));
        if (type == Type::f64)
            return least ? lanewise<&extreme<double, true>>() : lanewise<&extreme<double, false>>();
        return least ? lanewise<&extreme<float, true>>() : lanewise<&extreme<float, false>>();
    }
    const bool is_plain = instruction.rounding == Rounding::nearest_even && !instruction.flush && !instruction.saturate;
    const bool is_approximate = words.has("approx") || words.has("full");
    Arithmetic result = is_approximate ? approximated(words) : Arithmetic{};
    if (result.run == nullptr)
        result = type == Type::f32 ? exact<float>(words, is_plain) : exact<double>(words, is_plain);
    result.approximate = is_approximate;
    return result;
}

// Floating-point arithmetic in 16 bits, with one or two numbers in a register.

namespace {

struct Half {
    static constexpr FloatFormat format = half_format;
    static double value(uint16_t bits) { return half_to_float(bits); }
};

struct Bfloat {
    static constexpr FloatFormat format = bfloat_format;
    static double value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
};

template <class F>
double flushed_half(const Instruction& instruction, uint16_t bits)
{
    const double value = F::value(bits);
    const bool subnormal = (bits & ((1u << (F::format.mantissa_bits)) - 1)) == (bits & 0x7fffu);
    return instruction.flush && subnormal ? std::copysign(0.0, value) : value;
}

template <class F>
uint16_t finished_half(const Instruction& instruction, double value)
{
    if (instruction.saturate)
        value = value > 1 ? 1 : value > 0 ? value : 0;
    if (instruction.wait_all && value < 0) // .relu
        value = 0;
    const auto bits = static_cast<uint16_t>(encode(value, F::format));
    return instruction.flush && (bits & ((1u << F::format.mantissa_bits) - 1)) == (bits & 0x7fffu)
               ? static_cast<uint16_t>(bits & 0x8000)
               : bits;
}

// Applies f to one 16-bit number, or to both numbers of a register.
template <class F, auto f, bool packed, class Operands>
struct OfParts;
template <class F, auto f, bool packed, class... S>
struct OfParts<F, f, packed, std::tuple<S...>> {
    template <class>
    using Word = uint32_t;
    static uint32_t of(const Instruction& instruction, Word<S>... words)
    {
        const auto part = [&](int shift) {
            const double value = f(flushed_half<F>(instruction, static_cast<uint16_t>(words >> shift))...);
            return uint32_t{finished_half<F>(instruction, value)} << shift;
        };
        return packed ? part(0) | part(16) : part(0);
    }
};

template <class F, auto f, bool packed>
Arithmetic of_parts()
{
    return lanewise<&OfParts<F, f, packed, typename Signature<decltype(f)>::Operands>::of>();
}

template <class F, bool packed>
Arithmetic of(std::string_view name)
{
    constexpr uint32_t signs = packed ? 0x80008000 : 0x8000;
    if (name == "add")
        return of_parts<F, [](double a, double b) { return a + b; }, packed>();
    if (name == "sub")
        return of_parts<F, [](double a, double b) { return a - b; }, packed>();
    if (name == "mul")
        return of_parts<F, [](double a, double b) { return a * b; }, packed>();
    if (name == "fma")
        return of_parts<F, &product_sum, packed>();
    if (name == "min")
        return of_parts<F, [](double a, double b) { return std::signbit(a) && a == b ? a : std::fmin(a, b); },
                        packed>();
    if (name == "max")
        return of_parts<F, [](double a, double b) { return std::signbit(a) && a == b ? b : std::fmax(a, b); },
                        packed>();
    if (name == "neg") // neg and abs change only the sign bits
        return lanewise<[](uint32_t a) { return a ^ signs; }>();
    if (name == "abs")
        return lanewise<[](uint32_t a) { return a & ~signs; }>();
    Arithmetic result;
    if (name == "ex2")
        result = of_parts<F, [](double a) { return std::exp2(a); }, packed>();
    if (name == "tanh")
        result = of_parts<F, [](double a) { return std::tanh(a); }, packed>();
    result.approximate = true;
    return result;
}

} // namespace

Arithmetic half_arithmetic(const Words& words, Instruction& instruction)
{
    instruction.flush = words.has("ftz");
    instruction.saturate = words.has("sat");
    instruction.wait_all = words.has("relu");
    switch (words.type()) {
    case Type::f16: return of<Half, false>(words.first);
    case Type::f16x2: return of<Half, true>(words.first);
    case Type::bf16: return of<Bfloat, false>(words.first);
    case Type::bf16x2: return of<Bfloat, true>(words.first);
    default: return {};
    }
}

} // namespace ptx
