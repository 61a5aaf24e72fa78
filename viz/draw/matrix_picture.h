// A matrix as a rectangle drawn to scale, with parts of it coloured.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/draw/draw.h"

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

namespace viz {

class Surface; // viz/figure/surface.h

// Where a matrix lies on the screen. A matrix of one row may be wrapped (see MapShape).
struct MatrixFrame {
    ImVec2 corner;
    float cell = 1; // width of an element in pixels
    MapShape shape;
    float stretch = 1; // height of an element as part of its width

    float cell_height() const { return cell * stretch; }
    draw::Box box() const { return box_of({0, 0, shape.rows, shape.cols}); }
    draw::Box box_of(const CellRect& rect) const
    {
        const ImVec2 low{corner.x + cell * static_cast<float>(rect.col),
                         corner.y + cell_height() * static_cast<float>(rect.row)};
        return {low,
                {low.x + cell * static_cast<float>(rect.cols), low.y + cell_height() * static_cast<float>(rect.rows)}};
    }
    // The element under a point; nothing outside of the matrix.
    std::optional<Cell> element_under(ImVec2 point) const;
};

MapShape plain_shape(uint32_t rows, uint32_t cols);

// The empty matrix: its face, its edge and, where the elements are large enough, lines between them.
void draw_matrix(Surface& surface, const MatrixFrame& frame, const Theme& theme);

// Parts of it, in elements; never thinner than `least` pixels, so that single elements stay visible.
void fill_cells(Surface& surface, const MatrixFrame& frame, const std::vector<CellRect>& rects, Colour colour,
                float least);

// In the matrix's own coordinates, or wrapped as the frame is.
std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<Cell>& cells);
std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<CellRect>& rects);

} // namespace viz
