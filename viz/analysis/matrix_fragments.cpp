#include "viz/analysis/matrix_fragments.h"

#include <algorithm>
#include <utility>

namespace viz {

Holder ldmatrix_holder(Cell element, bool transposed)
{
    if (transposed)
        std::swap(element.row, element.col);
    return {element.row * 4 + element.col / 2, element.col % 2};
}

MmaShape mma_shape(uint32_t element_bytes)
{
    return {element_bytes == 4 ? 8u : 16u};
}

// Registers of A: rows 0-7 and the first half of K, rows 8-15, then both again for the second half.
Holder mma_holder_a(MmaShape shape, Cell element)
{
    const uint32_t half = shape.depth / 2, packed = shape.packed(), k = element.col % half;
    const uint32_t reg = element.row / 8 + element.col / half * 2;
    return {element.row % 8 * 4 + k / packed, reg * packed + k % packed};
}

Holder mma_holder_b(MmaShape shape, Cell element)
{
    const uint32_t half = shape.depth / 2, packed = shape.packed(), k = element.row % half;
    return {element.col * 4 + k / packed, element.row / half * packed + k % packed};
}

Holder mma_holder_sum(Cell element)
{
    return {element.row % 8 * 4 + element.col / 2, element.row / 8 * 2 + element.col % 2};
}

Cell extent_of(MmaShape shape, MmaPart part)
{
    switch (part) {
    case MmaPart::a: return {mma_rows, shape.depth};
    case MmaPart::b: return {shape.depth, mma_cols};
    case MmaPart::sums: break;
    }
    return {mma_rows, mma_cols};
}

Holder mma_holder(MmaShape shape, MmaPart part, Cell element)
{
    switch (part) {
    case MmaPart::a: return mma_holder_a(shape, element);
    case MmaPart::b: return mma_holder_b(shape, element);
    case MmaPart::sums: break;
    }
    return mma_holder_sum(element);
}

std::vector<Cell> held_by_lane(MmaShape shape, MmaPart part, uint32_t lane)
{
    std::vector<std::pair<uint32_t, Cell>> found;
    const Cell extent = extent_of(shape, part);
    for (uint32_t row = 0; row < extent.row; ++row)
        for (uint32_t col = 0; col < extent.col; ++col)
            if (const Holder holder = mma_holder(shape, part, {row, col}); holder.lane == lane)
                found.emplace_back(holder.index, Cell{row, col});
    std::sort(found.begin(), found.end());
    std::vector<Cell> cells;
    for (const auto& [index, cell] : found)
        cells.push_back(cell);
    return cells;
}

} // namespace viz
