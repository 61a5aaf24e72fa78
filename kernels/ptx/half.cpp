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
template <class F, auto f, int operands, bool packed>
void run(const Instruction& instruction, std::byte* registers, uint32_t mask)
{
    auto* to = at<uint32_t>(registers, instruction.r[0]);
    std::array<const uint32_t*, 3> from{};
    for (int i = 0; i < operands; ++i)
        from[i] = at<uint32_t>(registers, instruction.r[i + 1]);
    for_lanes(mask, [&](int lane) {
        uint32_t result = 0;
        for (int part = 0; part < (packed ? 2 : 1); ++part) {
            std::array<double, 3> x{};
            for (int i = 0; i < operands; ++i)
                x[i] = flushed_half<F>(instruction, static_cast<uint16_t>(from[i][lane] >> 16 * part));
            result |= uint32_t{finished_half<F>(instruction, f(x[0], x[1], x[2]))} << 16 * part;
        }
        to[lane] = result;
    });
}

template <class F, bool packed>
Arithmetic of(const Words& words, Instruction& instruction)
{
    constexpr Width w = Width::word;
    const std::string_view name = words.first;
    if (name == "add")
        return {.run = run<F, [](double a, double b, double) { return a + b; }, 2, packed>, .widths = {w, w, w}};
    if (name == "sub")
        return {.run = run<F, [](double a, double b, double) { return a - b; }, 2, packed>, .widths = {w, w, w}};
    if (name == "mul")
        return {.run = run<F, [](double a, double b, double) { return a * b; }, 2, packed>, .widths = {w, w, w}};
    if (name == "fma")
        return {.run = run<F, product_sum, 3, packed>, .widths = {w, w, w, w}};
    if (name == "min")
        return {.run =
                    run<F, [](double a, double b, double) { return std::signbit(a) && a == b ? a : std::fmin(a, b); },
                        2, packed>,
                .widths = {w, w, w}};
    if (name == "max")
        return {.run =
                    run<F, [](double a, double b, double) { return std::signbit(a) && a == b ? b : std::fmax(a, b); },
                        2, packed>,
                .widths = {w, w, w}};
    if (name == "neg" || name == "abs") { // of the bits
        instruction.truth = name == "neg";
        return {.run =
                    [](const Instruction& i, std::byte* registers, uint32_t mask) {
                        constexpr uint32_t signs = packed ? 0x80008000 : 0x8000;
                        auto* to = at<uint32_t>(registers, i.r[0]);
                        const auto* from = at<uint32_t>(registers, i.r[1]);
                        for_lanes(mask, [&](int lane) {
                            to[lane] = i.truth != 0 ? from[lane] ^ signs : from[lane] & ~signs;
                        });
                    },
                .widths = {w, w}};
    }
    Arithmetic result{.run = nullptr, .widths = {w, w}, .approximate = true};
    if (name == "ex2")
        result.run = run<F, [](double a, double, double) { return std::exp2(a); }, 1, packed>;
    if (name == "tanh")
        result.run = run<F, [](double a, double, double) { return std::tanh(a); }, 1, packed>;
    return result;
}

} // namespace

Arithmetic half_arithmetic(const Words& words, Instruction& instruction)
{
    instruction.flush = words.has("ftz");
    instruction.saturate = words.has("sat");
    instruction.wait_all = words.has("relu");
    switch (words.type()) {
    case Type::f16: return of<Half, false>(words, instruction);
    case Type::f16x2: return of<Half, true>(words, instruction);
    case Type::bf16: return of<Bfloat, false>(words, instruction);
    case Type::bf16x2: return of<Bfloat, true>(words, instruction);
    default: return {};
    }
}

} // namespace ptx
