// Numbers of 16 bits, one or two in a register.
#include "ptx/arithmetic.h"

#include <cmath>

namespace ptx {

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

// f of one number of 16 bits, or of each of the two in a register.
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
    if (name == "neg") // of the bits
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
