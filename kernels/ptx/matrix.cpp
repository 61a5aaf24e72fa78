#include "ptx/matrix.h"

#include "ptx/arithmetic.h"

#include <algorithm>
#include <cmath>

namespace ptx {

namespace {

struct Cells {
    Cells(int rows, int cols) : cols_(cols), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}
    double& at(int row, int col) { return values_[static_cast<std::size_t>(row) * cols_ + col]; }

private:
    int cols_;
    std::vector<double> values_;
};

double element(Type type, uint64_t bits)
{
    switch (type) {
    case Type::f16: return half_to_float(static_cast<uint16_t>(bits));
    case Type::bf16: return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
    case Type::tf32: return std::bit_cast<float>(static_cast<uint32_t>(bits) & ~0x1fffu); // 13 bits are not looked at
    case Type::s8: return static_cast<int8_t>(bits);
    case Type::u8: return static_cast<uint8_t>(bits);
    case Type::s32: return static_cast<int32_t>(bits);
    case Type::f64: return std::bit_cast<double>(bits);
    default: return std::bit_cast<float>(static_cast<uint32_t>(bits));
    }
}

uint64_t bits_of_element(const Instruction& instruction, Type type, double value)
{
    switch (type) {
    case Type::f16: return half_of(value);
    case Type::s32:
        return static_cast<uint32_t>(instruction.saturate
                                         ? static_cast<int64_t>(std::clamp(value, -2147483648.0, 2147483647.0))
                                         : static_cast<int64_t>(value));
    case Type::f64: return std::bit_cast<uint64_t>(value);
    default: return std::bit_cast<uint32_t>(static_cast<float>(value));
    }
}

double summed(Type type, double sum, double a, double b)
{
    switch (type) {
    case Type::f32: return static_cast<float>(sum) + static_cast<float>(a) * static_cast<float>(b);
    case Type::f64: return std::fma(a, b, sum);
    default: return sum + a * b; // whole numbers are exact; FP16 is rounded once, at the end
    }
}

void multiply_cells(const Instruction& instruction, Cells& a, Cells& b, Cells& d)
{
    const TileShape &of_a = instruction.tiles[0], &of_d = instruction.tiles[2];
    for (int row = 0; row < of_d.rows; ++row)
        for (int col = 0; col < of_d.cols; ++col) {
            double sum = d.at(row, col);
            for (int k = 0; k < of_a.cols; ++k)
                sum = of_d.type == Type::f32
                          ? static_cast<double>(static_cast<float>(summed(of_d.type, sum, a.at(row, k), b.at(k, col))))
                          : summed(of_d.type, sum, a.at(row, k), b.at(k, col));
            d.at(row, col) = sum;
        }
}

// Where the i-th element of a lane's r-th register lies, in the layouts that mma's manual draws: lane 4 g + t holds rows g
// and g + 8 of A, and column g of B.
struct Layout {
    int per_register = 1;
    TileCell a(int lane, int r, int i) const
    {
        return {lane / 4 + r % 2 * 8, r / 2 * 4 * per_register + lane % 4 * per_register + i};
    }
    TileCell b(int lane, int r, int i) const { return {r * 4 * per_register + lane % 4 * per_register + i, lane / 4}; }
    TileCell d(int lane, int r, int i, bool packed) const
    {
        return packed ? TileCell{lane / 4 + r * 8, lane % 4 * 2 + i}
                      : TileCell{lane / 4 + r / 2 * 8, lane % 4 * 2 + r % 2};
    }
};

uint64_t read(std::byte* registers, uint32_t offset, int lane, bool wide)
{
    return wide ? at<uint64_t>(registers, offset)[lane] : at<uint32_t>(registers, offset)[lane];
}

template <class Place>
void gather(const Instruction& instruction, std::byte* registers, uint32_t first, std::size_t count, Type type,
            int per_register, Cells& to, Place place)
{
    const int bits = bits_in_tile(type);
    for (int lane = 0; lane < lane_count; ++lane)
        for (std::size_t r = 0; r < count; ++r) {
            const uint64_t word = read(registers, instruction.in[first + r], lane, type == Type::f64);
            for (int i = 0; i < per_register; ++i) {
                const TileCell cell = place(lane, static_cast<int>(r), i);
                to.at(cell.row, cell.col) =
                    element(type, per_register == 1 ? word : word >> i * bits & ((uint64_t{1} << bits) - 1));
            }
        }
}

} // namespace

int bits_in_tile(Type type)
{
    return type == Type::tf32 ? 32 : bits_of(type);
}

void multiply(const Instruction& instruction, std::byte* registers)
{
    const auto& [tile_a, tile_b, tile_d] = instruction.tiles;
    Cells a(tile_a.rows, tile_a.cols), b(tile_b.rows, tile_b.cols), d(tile_d.rows, tile_d.cols);
    const bool is_double = tile_a.type == Type::f64;
    const Layout layout{is_double ? 1 : 32 / bits_in_tile(tile_a.type)};
    const auto& first = instruction.first_in;
    gather(instruction, registers, first[0], first[1] - first[0], tile_a.type, layout.per_register, a,
           [&](int lane, int r, int i) { return layout.a(lane, r, i); });
    gather(instruction, registers, first[1], first[2] - first[1], tile_b.type, layout.per_register, b,
           [&](int lane, int r, int i) { return layout.b(lane, r, i); });
    const bool packed = tile_d.type == Type::f16;
    gather(instruction, registers, first[2], instruction.in.size() - first[2], tile_d.type, packed ? 2 : 1, d,
           [&](int lane, int r, int i) { return layout.d(lane, r, i, packed); });
    multiply_cells(instruction, a, b, d);
    for (int lane = 0; lane < lane_count; ++lane)
        for (std::size_t r = 0; r < instruction.to.size(); ++r) {
            const auto bits = [&](int i) {
                const TileCell cell = layout.d(lane, static_cast<int>(r), i, packed);
                return bits_of_element(instruction, tile_d.type, d.at(cell.row, cell.col));
            };
            if (is_double)
                at<uint64_t>(registers, instruction.to[r])[lane] = bits(0);
            else
                at<uint32_t>(registers, instruction.to[r])[lane] =
                    static_cast<uint32_t>(packed ? bits(0) | bits(1) << 16 : bits(0));
        }
}

int elements_per_lane(const TileShape& tile)
{
    return tile.rows * tile.cols / lane_count;
}

TileCell tile_cell(const TileShape& tile, int lane, int i)
{
    const int place = lane * elements_per_lane(tile) + i;
    return {place / tile.cols, place % tile.cols};
}

void tile_multiply(const Instruction& instruction, std::byte* registers)
{
    const auto& [tile_a, tile_b, tile_d] = instruction.tiles;
    Cells a(tile_a.rows, tile_a.cols), b(tile_b.rows, tile_b.cols), d(tile_d.rows, tile_d.cols);
    const auto gather_tile = [&](const TileShape& tile, uint32_t first, Cells& to) {
        const bool wide = tile.type == Type::f64;
        const int bits = bits_in_tile(tile.type), per_register = wide ? 1 : 32 / bits;
        for (int lane = 0; lane < lane_count; ++lane)
            for (int i = 0; i < elements_per_lane(tile); ++i) {
                const uint64_t word =
                    read(registers, instruction.in[first + static_cast<uint32_t>(i / per_register)], lane, wide);
                const TileCell cell = tile_cell(tile, lane, i);
                to.at(cell.row, cell.col) =
                    element(tile.type,
                            per_register == 1 ? word : word >> i % per_register * bits & ((uint64_t{1} << bits) - 1));
            }
    };
    gather_tile(tile_a, instruction.first_in[0], a);
    gather_tile(tile_b, instruction.first_in[1], b);
    gather_tile(tile_d, instruction.first_in[2], d);
    multiply_cells(instruction, a, b, d);
    const bool wide = tile_d.type == Type::f64;
    const int bits = bits_in_tile(tile_d.type), per_register = wide ? 1 : 32 / bits;
    for (int lane = 0; lane < lane_count; ++lane)
        for (int i = 0; i < elements_per_lane(tile_d); ++i) {
            const TileCell cell = tile_cell(tile_d, lane, i);
            const uint64_t value = bits_of_element(instruction, tile_d.type, d.at(cell.row, cell.col));
            const uint32_t to = instruction.to[static_cast<std::size_t>(i / per_register)];
            if (wide)
                at<uint64_t>(registers, to)[lane] = value;
            else if (per_register == 1)
                at<uint32_t>(registers, to)[lane] = static_cast<uint32_t>(value);
            else {
                uint32_t& word = at<uint32_t>(registers, to)[lane];
                const int shift = i % per_register * bits;
                word = (word & ~(((1u << bits) - 1) << shift)) | static_cast<uint32_t>(value) << shift;
            }
        }
}

} // namespace ptx
