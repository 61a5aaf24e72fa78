// What the tensor core instructions have in common: fragments of matrices in a warp's registers, and their product.
#pragma once

#include "ptx/arithmetic.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ptx {

struct MatrixShape {
    int m = 0, n = 0, k = 0;
};
std::optional<MatrixShape> shape_of(const Words& words); // "m16n8k16"

int bits_in_tile(Type type); // of an element in a register and in memory
double element(Type type, uint64_t bits);
uint64_t bits_of_element(const Instruction& instruction, Type type, double value);

struct TileCell {
    int row = 0, col = 0;
};
// Returns where a lane's i-th element of a tile lies. A, B and D have the layout of mma in the PTX manual: lane 4 g + t
// holds rows g and g + 8 of A and D, and column g of B. The PTX machine chooses the layout of WMMA fragments itself,
// because only its own loads, stores and multiplications depend on it.
using CellOf = TileCell (*)(const TileShape& tile, int lane, int i);
TileCell cell_of_a(const TileShape& tile, int lane, int i);
TileCell cell_of_b(const TileShape& tile, int lane, int i);
TileCell cell_of_d(const TileShape& tile, int lane, int i);
TileCell cell_of_wmma(const TileShape& tile, int lane, int i);

// Registers that hold a tile, with one or several elements in each.
struct Fragment {
    TileShape tile;
    CellOf cell = nullptr;
    std::span<const uint32_t> registers; // in the form of Instruction::in and Instruction::to

    int per_register() const { return std::max(1, 32 / bits_in_tile(tile.type)); }
    int elements() const { return tile.rows * tile.cols / lane_count; } // number of elements per lane
    uint64_t read(const std::byte* of_warp, int lane, int i) const;
    void write(std::byte* of_warp, int lane, int i, uint64_t bits) const;
};

template <class Number>
struct Matrix {
    Matrix(int rows, int cols) : cols(cols), values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}
    Number* row(int i) { return &values[static_cast<std::size_t>(i) * static_cast<std::size_t>(cols)]; }
    int cols;
    std::vector<Number> values;
};

template <class Number>
void read_fragment(const Fragment& from, const std::byte* of_warp, Matrix<Number>& to)
{
    for (int lane = 0; lane < lane_count; ++lane)
        for (int i = 0; i < from.elements(); ++i) {
            const TileCell cell = from.cell(from.tile, lane, i);
            to.row(cell.row)[cell.col] = static_cast<Number>(element(from.tile.type, from.read(of_warp, lane, i)));
        }
}

template <class Number>
void write_fragment(const Instruction& instruction, const Fragment& to, std::byte* of_warp, Matrix<Number>& from)
{
    for (int lane = 0; lane < lane_count; ++lane)
        for (int i = 0; i < to.elements(); ++i) {
            const TileCell cell = to.cell(to.tile, lane, i);
            const auto value = static_cast<double>(from.row(cell.row)[cell.col]);
            to.write(of_warp, lane, i, bits_of_element(instruction, to.tile.type, value));
        }
}

// Computes D += A * B. Adds the products one after another from the first k on, while the hardware leaves the order
// open. Sums are float if D has that type, otherwise double. In double, integers are exact, and FP16 is rounded once,
// at the end. `fused` is for FP64.
template <class Number>
void add_product(Matrix<Number>& a, Matrix<Number>& b, Matrix<Number>& d, bool fused = false)
{
    const int rows = static_cast<int>(d.values.size()) / d.cols;
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < a.cols; ++k) {
            const Number one = a.row(row)[k];
            const Number* const other = b.row(k);
            Number* const to = d.row(row);
            for (int col = 0; col < d.cols; ++col)
                to[col] = fused ? std::fma(one, other[col], to[col]) : to[col] + one * other[col];
        }
}

} // namespace ptx
