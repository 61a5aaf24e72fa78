// wgmma: D += A * B by the four warps of a warpgroup. Matrix descriptors say where B, and usually A, lie in shared
// memory. A may also be in registers.
#include "ptx/block.h"
#include "ptx/decode.h"
#include "ptx/matrix.h"
#include "ptx/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace ptx {

namespace {

using recording::Op;

constexpr uint32_t warps_in_group = 4;
constexpr int warp_rows = 16; // rows of A and D that each warp has

// Describes one operand in shared memory; see "matrix descriptor" in the PTX manual. Addresses are in bytes.
struct MatrixDescriptor {
    explicit MatrixDescriptor(uint64_t bits);
    uint64_t start = 0, leading = 0, stride = 0;
    uint32_t swizzle = 0; // width of the pattern in bytes: 0, 32, 64 or 128
    uint32_t base = 0;    // offset of the pattern's start, in lines of 128 bytes

    // Returns where an element lies. `line` is its index along M or N, `k` its index along K. With `along_lines`, which
    // PTX calls transposed, elements that are neighbours along M or N are contiguous in memory. Otherwise neighbours
    // along K are contiguous.
    uint64_t place(uint32_t line, uint32_t k, uint32_t element_bytes, bool along_lines) const;
};

MatrixDescriptor::MatrixDescriptor(uint64_t bits)
    : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4), stride((bits >> 32 & 0x3fff) << 4),
      base(static_cast<uint32_t>(bits >> 49 & 7))
{
    constexpr std::array<uint32_t, 4> modes = {0, 128, 64, 32};
    swizzle = modes[bits >> 62];
}

uint64_t MatrixDescriptor::place(uint32_t line, uint32_t k, uint32_t element_bytes, bool along_lines) const
{
    const uint64_t row = std::max(swizzle, 16u), elements = row / element_bytes;
    uint64_t at = start;
    if (!along_lines && swizzle == 0)
        at += line / 8 * stride + line % 8 * 16 + k / elements * leading + k % elements * element_bytes;
    else if (!along_lines)
        at += line / 8 * stride + line % 8 * row + uint64_t{k} * element_bytes;
    else if (swizzle == 0)
        at += line / elements * stride + line % elements * element_bytes + k % 8 * 16 + k / 8 * leading;
    else
        at += line / elements * leading + line % elements * element_bytes + k % 8 * row + k / 8 * stride;
    return swizzled(at, swizzle);
}

MatrixDescriptor descriptor(Warp& warp, const Instruction& instruction, std::size_t r)
{
    const MatrixDescriptor result(warp.wides(instruction.r[r])[0]);
    if (result.base != 0)
        warp.fail(instruction, "a matrix descriptor has a base offset, which the PTX machine does not know");
    return result;
}

// The indices of an element in shared memory. MatrixDescriptor::place() explains `along_lines`.
struct ElementPlace {
    uint32_t line = 0, k = 0;
    bool along_lines = false;
};
double load_element(Warp& warp, const Instruction& instruction, const MatrixDescriptor& from, Type type,
                    const ElementPlace& at)
{
    const auto bytes = static_cast<uint32_t>(bits_in_tile(type)) / 8;
    const uint64_t where = from.place(at.line, at.k, bytes, at.along_lines);
    uint32_t bits = 0;
    std::memcpy(&bits, warp.locate(instruction, Space::shared, where, bytes, 0, false).bytes, bytes);
    return element(type, bits);
}

void tell_operand(Warp& warp, const Instruction& instruction, uint32_t mask, uint64_t start)
{
    LaneAddresses starts;
    starts.fill(start);
    warp.tell(Op::matrix_multiply, instruction, mask, starts, 0, Space::shared);
}

// Reads this warp's rows of A.
template <class Number>
void load_a(Warp& warp, const Instruction& instruction, uint32_t mask, Matrix<Number>& a)
{
    const TileShape& tile = instruction.tiles[0];
    if (instruction.r[1] == no_register) {
        read_fragment({{warp_rows, tile.cols, tile.type}, cell_of_a, std::span(instruction.in).first(4)},
                      warp.registers.data(), a);
        return warp.tell(Op::matrix_multiply, instruction, mask, {}, 0);
    }
    const MatrixDescriptor from = descriptor(warp, instruction, 1);
    const uint32_t first_row = warp.number % warps_in_group * warp_rows;
    for (uint32_t row = 0; row < warp_rows; ++row)
        for (uint32_t k = 0; k < static_cast<uint32_t>(tile.cols); ++k)
            a.row(static_cast<int>(row))[k] = static_cast<Number>(
                load_element(warp, instruction, from, tile.type, {first_row + row, k, tile.by_columns}));
    tell_operand(warp, instruction, mask, from.start);
}

template <class Number>
void group_multiply_in(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    const auto& [of_a, of_b, of_d] = instruction.tiles;
    Matrix<Number> a(warp_rows, of_a.cols), b(of_b.rows, of_b.cols), d(warp_rows, of_d.cols);
    load_a(warp, instruction, mask, a);
    const MatrixDescriptor from = descriptor(warp, instruction, 2);
    for (uint32_t k = 0; k < static_cast<uint32_t>(of_b.rows); ++k)
        for (uint32_t col = 0; col < static_cast<uint32_t>(of_b.cols); ++col)
            b.row(static_cast<int>(k))[col] =
                static_cast<Number>(load_element(warp, instruction, from, of_b.type, {col, k, !of_b.by_columns}));
    tell_operand(warp, instruction, mask, from.start);
    if (instruction.minus[0] != instruction.minus[1])
        for (Number& one : a.values)
            one = -one;
    Fragment sums{
        {warp_rows, of_d.cols, of_d.type}, cell_of_d, std::span(instruction.in).subspan(instruction.first_in[2])};
    if ((*warp.words(instruction.r[3]) & 1) != 0) // the product is added to D
        read_fragment(sums, warp.registers.data(), d);
    add_product(a, b, d);
    sums.registers = instruction.to;
    write_fragment(instruction, sums, warp.registers.data(), d);
}

void group_multiply(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (!warp.meets_whole(instruction, mask))
        return;
    if (instruction.tiles[2].type == Type::f32)
        group_multiply_in<float>(warp, instruction, mask);
    else
        group_multiply_in<double>(warp, instruction, mask);
}

// Makes the warps of a warpgroup wait for each other. When one continues, all have read the operands of their products.
void wait_for_group(Warp& warp, const Instruction& instruction, uint32_t mask)
{
    if (!warp.meets_whole(instruction, mask))
        return;
    const uint32_t warps = warp.block.launch.extent.warps_per_block(), group = warp.number / warps_in_group;
    if ((group + 1) * warps_in_group > warps)
        warp.fail(instruction,
                  fmt::format("warp {} is in no whole warpgroup: the block has {} warps, and a warpgroup is four",
                              warp.number, warps));
    warp.stay(Warp::State::at_group_wait);
    warp.block.meet_group(group);
}

bool shape_fits(const MatrixShape& shape, Type a, Type b, Type d)
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

// Decodes wgmma. If A is not in registers, r[1] is A's descriptor. r[2] is B's descriptor, and r[3] is the predicate
// for adding to D. `in` contains the registers of A, then those of D.
void decode_group_multiply(Decoder& decoder, const Words& words)
{
    const std::optional<MatrixShape> shape = shape_of(words);
    if (!shape || words.types.size() != 3 || words.has("sp") || decoder.operands() < 4 ||
        !shape_fits(*shape, words.type(1), words.type(2), words.type(0)))
        decoder.unknown();
    const Type d = words.type(0), a = words.type(1);
    Instruction instruction{.kind = Kind::other, .execute = group_multiply, .space = Space::shared};
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
        decode_group_multiply(decoder, words);
    else if (words.has("wait_group"))
        decoder.emit({.kind = Kind::other, .execute = wait_for_group});
    else if (words.has("fence") || words.has("commit_group"))
        decoder.emit({.kind = Kind::nop}); // products are computed where they are started
    else
        decoder.unknown();
    return true;
}

} // namespace ptx
