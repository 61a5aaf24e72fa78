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

Cell extent_of(MmaShape shape, MmaPart part)
{
    return {part == MmaPart::b ? shape.depth : mma_rows, part == MmaPart::a ? shape.depth : mma_cols};
}

// The registers of A hold rows 0-7 and then rows 8-15 of the first half of K, then both for the second half.
Holder mma_holder(MmaShape shape, MmaPart part, Cell element)
{
    const uint32_t half = shape.depth / 2, packed = shape.packed();
    switch (part) {
    case MmaPart::a: {
        const uint32_t k = element.col % half, reg = element.row / 8 + element.col / half * 2;
        return {element.row % 8 * 4 + k / packed, reg * packed + k % packed};
    }
    case MmaPart::b: {
        const uint32_t k = element.row % half;
        return {element.col * 4 + k / packed, element.row / half * packed + k % packed};
    }
    case MmaPart::sums: break;
    }
    return {element.row % 8 * 4 + element.col / 2, element.row / 8 * 2 + element.col % 2};
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
