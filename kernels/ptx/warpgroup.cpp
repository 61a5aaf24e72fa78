#include "ptx/warpgroup.h"

#include "ptx/arithmetic.h"
#include "ptx/rounding.h"
#include "ptx/tensor_map.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace ptx {

namespace {

constexpr int warp_rows = 16;

// Where a lane's c-th sum of the j-th 8 columns lies in the warp's 16 rows.
struct SumCell {
    int row = 0, col = 0;
    SumCell(int lane, int j, int c) : row(lane / 4 + c / 2 * 8), col(j * 8 + lane % 4 * 2 + c % 2) {}
};

template <class Sum>
void add_products(const GroupProduct& product, std::vector<Sum>& sums, int n, int depth)
{
    for (int row = 0; row < warp_rows; ++row)
        for (int k = 0; k < depth; ++k) {
            const Sum a =
                product
                    .a[static_cast<std::size_t>(row) * static_cast<std::size_t>(depth) + static_cast<std::size_t>(k)];
            const float* const b = &product.b[static_cast<std::size_t>(k) * static_cast<std::size_t>(n)];
            Sum* const to = &sums[static_cast<std::size_t>(row) * static_cast<std::size_t>(n)];
            for (int col = 0; col < n; ++col)
                to[col] += a * static_cast<Sum>(b[col]);
        }
}

template <class Sum>
Sum sum_of(Type type, uint32_t bits)
{
    if (type == Type::s32)
        return static_cast<Sum>(static_cast<int32_t>(bits));
    return static_cast<Sum>(type == Type::f16 ? half_to_float(static_cast<uint16_t>(bits))
                                              : std::bit_cast<float>(bits));
}

template <class Sum>
uint32_t bits_of_sum(const Instruction& instruction, Sum sum)
{
    const Type type = instruction.tiles[2].type;
    if (type == Type::f16)
        return half_of(static_cast<double>(sum));
    if (type == Type::s32) {
        const auto limited =
            instruction.saturate ? std::clamp(static_cast<double>(sum), -2147483648.0, 2147483647.0) : double(sum);
        return static_cast<uint32_t>(static_cast<int64_t>(limited));
    }
    return std::bit_cast<uint32_t>(static_cast<float>(sum));
}

// Sums are made in FP32, one product after another; those in FP16 and whole ones are rounded once.
template <class Sum>
void multiply_in(const Instruction& instruction, std::byte* registers, const GroupProduct& product)
{
    const int n = instruction.tiles[2].cols, depth = instruction.tiles[0].cols;
    const Type type = instruction.tiles[2].type;
    const int per_register = type == Type::f16 ? 2 : 1;
    std::vector<Sum> sums(static_cast<std::size_t>(warp_rows) * static_cast<std::size_t>(n));
    const auto each = [&](auto visit) {
        for (int lane = 0; lane < lane_count; ++lane)
            for (int i = 0; i < n / 2; ++i) {
                const SumCell cell(lane, i / 4, i % 4);
                visit(lane, static_cast<std::size_t>(i / per_register), i % per_register * 16,
                      sums[static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(n) +
                           static_cast<std::size_t>(cell.col)]);
            }
    };
    if (product.adds)
        each([&](int lane, std::size_t r, int shift, Sum& sum) {
            const uint32_t word = at<uint32_t>(registers, instruction.in[instruction.first_in[2] + r])[lane];
            sum = sum_of<Sum>(type, word >> shift);
        });
    add_products(product, sums, n, depth);
    each([&](int lane, std::size_t r, int shift, Sum& sum) {
        uint32_t& to = at<uint32_t>(registers, instruction.to[r])[lane];
        const uint32_t bits = bits_of_sum(instruction, sum);
        to = shift == 0 ? bits : (to & 0xffff) | bits << shift;
    });
}

} // namespace

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

float group_element(Type type, uint32_t bits)
{
    switch (type) {
    case Type::f16: return half_to_float(static_cast<uint16_t>(bits));
    case Type::bf16: return std::bit_cast<float>(bits << 16);
    case Type::tf32: return std::bit_cast<float>(bits & ~0x1fffu); // 13 bits are not looked at
    case Type::s8: return static_cast<int8_t>(bits);
    case Type::u8: return static_cast<uint8_t>(bits);
    case Type::e4m3: return static_cast<float>(decode(bits & 0xff, e4m3_format));
    default: return static_cast<float>(decode(bits & 0xff, e5m2_format));
    }
}

void group_registers(const Instruction& instruction, std::byte* registers, std::span<float> a)
{
    const TileShape& tile = instruction.tiles[0];
    const int depth = tile.cols, per_register = depth / 8; // a row of A takes eight registers
    const int bits = 32 / per_register;
    for (int lane = 0; lane < lane_count; ++lane)
        for (int r = 0; r < 4; ++r) {
            const uint32_t word = at<uint32_t>(registers, instruction.in[static_cast<std::size_t>(r)])[lane];
            for (int i = 0; i < per_register; ++i) {
                const int row = lane / 4 + r % 2 * 8, k = (r / 2 * 4 + lane % 4) * per_register + i;
                a[static_cast<std::size_t>(row) * static_cast<std::size_t>(depth) + static_cast<std::size_t>(k)] =
                    group_element(tile.type, word >> i * bits);
            }
        }
}

void group_multiply(const Instruction& instruction, std::byte* registers, const GroupProduct& product)
{
    if (instruction.tiles[2].type == Type::f32)
        multiply_in<float>(instruction, registers, product);
    else
        multiply_in<double>(instruction, registers, product);
}

} // namespace ptx
