// The registers of the selected lane: what is on its way to or from it, and the outer product of its operands.
#pragma once

#include "viz/views/01_flow/paint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

void paint_registers(const FlowPaint& paint);

// Where the lane's sums stand: a cell for each row and column of C that it has elements of.
struct ProductGrid {
    std::vector<uint32_t> rows, cols; // of C
    ImVec2 corner = {};
    float width = 1, height = 1; // of a cell
    float gap = 0;               // between the sums and the operands
    float name_y = 0;

    draw::Box box(std::size_t row, std::size_t col) const;
    std::optional<Cell> element_under(ImVec2 point) const;
};

// Nothing where the lane has no sums, or where they have no room.
std::optional<ProductGrid> product_grid(const FlowFacts& facts, const FlowScene& scene, const Theme& theme);

} // namespace viz
