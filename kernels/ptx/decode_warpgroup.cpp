// Statements of multiplications by warpgroups.
#include "ptx/decode.h"

namespace ptx {

namespace {

bool fits(const MatrixShape& shape, Type a, Type b, Type d)
{
    const bool eight = a == Type::e4m3 || a == Type::e5m2, whole = a == Type::s8 || a == Type::u8;
    const bool same = eight   ? b == Type::e4m3 || b == Type::e5m2
                      : whole ? b == Type::s8 || b == Type::u8
                              : b == a && (a == Type::f16 || a == Type::bf16 || a == Type::tf32);
    const bool sums = whole ? d == Type::s32 : d == Type::f32 || (d == Type::f16 && (eight || a == Type::f16));
    const int bits = a == Type::tf32 ? 32 : bits_of(a);
    return same && sums && shape.m == 64 && shape.n % 8 == 0 && shape.k * bits == 256;
}

bool bit_given(Decoder& decoder, std::size_t i, uint64_t wanted)
{
    const Operand& operand = decoder.operand(i);
    if (operand.kind != Operand::Kind::immediate)
        decoder.fail("its last operands must be numbers");
    return (operand.value & 0xffffffff) == wanted;
}

// r[1]: A's descriptor, or none; r[2]: B's; r[3]: the predicate of adding to D. in: A's registers, then D's.
void group_multiply(Decoder& decoder, const Words& words)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    if (!shape || words.types.size() != 3 || words.has("sp") || decoder.operands() < 4 ||
        !fits(*shape, words.type(1), words.type(2), words.type(0)))
        decoder.unknown();
    const Type d = words.type(0), a = words.type(1);
    Instruction instruction{.kind = Kind::group_multiply, .space = Space::shared};
    instruction.saturate = words.has("satfinite");
    const Operand& of_a = decoder.operand(1);
    const bool from_registers = of_a.kind == Operand::Kind::list;
    std::size_t next = 4;
    if (d != Type::s32) {
        constexpr uint64_t minus_one = 0xffffffff;
        instruction.minus = {bit_given(decoder, next, minus_one), bit_given(decoder, next + 1, minus_one)};
        next += 2;
    }
    bool a_turned = false, b_turned = false;
    if (a == Type::f16 || a == Type::bf16) {
        if (!from_registers)
            a_turned = bit_given(decoder, next++, 1);
        b_turned = bit_given(decoder, next, 1);
    }
    instruction.tiles = {TileShape{shape->m, shape->k, a, a_turned},
                         TileShape{shape->k, shape->n, words.type(2), !b_turned}, TileShape{shape->m, shape->n, d}};
    if (from_registers)
        decoder.add_sources(instruction.in, of_a, Width::word);
    else
        instruction.r[1] = decoder.source(of_a, Width::wide);
    instruction.first_in[2] = static_cast<uint32_t>(instruction.in.size());
    instruction.r[2] = decoder.source(2, Width::wide);
    instruction.r[3] = decoder.source(3, Width::predicate);
    decoder.add_sources(instruction.in, decoder.operand(0), Width::word);
    decoder.add_targets(instruction.to, decoder.operand(0), Width::word);
    const auto expected = static_cast<std::size_t>(d == Type::f16 ? shape->n / 4 : shape->n / 2);
    if (instruction.to.size() != expected || (from_registers && of_a.parts.size() != 4))
        decoder.fail("its matrices have other numbers of registers than that shape has");
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_warpgroup(Decoder& decoder, const Words& words)
{
    if (words.first != "wgmma")
        return false;
    if (words.has("mma_async"))
        group_multiply(decoder, words);
    else if (words.has("wait_group"))
        decoder.emit({.kind = Kind::group_wait});
    else if (words.has("fence") || words.has("commit_group"))
        decoder.emit({.kind = Kind::nop}); // products are done where they are started
    else
        decoder.unknown();
    return true;
}

} // namespace ptx
