// Draws a matrix to scale as a rectangle with coloured parts.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/draw/draw.h"

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

namespace viz {

class Surface; // viz/figure/surface.h

// Position of a matrix on the screen. A matrix with one row may be wrapped (see MapShape).
struct MatrixFrame {
    ImVec2 corner;
    float cell = 1; // width of an element in pixels
    MapShape shape;
    float stretch = 1; // height of an element relative to its width

    float cell_height() const { return cell * stretch; }
    draw::Box box() const { return box_of({0, 0, shape.rows, shape.cols}); }
    draw::Box box_of(const CellRect& rect) const
    {
        const ImVec2 low{corner.x + cell * static_cast<float>(rect.col),
                         corner.y + cell_height() * static_cast<float>(rect.row)};
        return {low,
                {low.x + cell * static_cast<float>(rect.cols), low.y + cell_height() * static_cast<float>(rect.rows)}};
    }
    // Returns the element under a point, or nothing outside the matrix.
    std::optional<Cell> element_under(ImVec2 point) const;
};

MapShape plain_shape(uint32_t rows, uint32_t cols);

// Draws the empty matrix: background, border and, if the elements are large enough, lines between them.
void draw_matrix(Surface& surface, const MatrixFrame& frame, const Theme& theme);

// Fills parts of the matrix, given in elements. No part is thinner than `least` pixels, so that single elements stay
// visible.
void fill_cells(Surface& surface, const MatrixFrame& frame, const std::vector<CellRect>& rects, Colour colour,
                float least);

// Converts cells of the matrix to coordinates of the frame, which differ if the frame is wrapped.
std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<Cell>& cells);
std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<CellRect>& rects);

} // namespace viz
