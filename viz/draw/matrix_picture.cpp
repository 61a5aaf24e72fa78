#include "viz/draw/matrix_picture.h"

#include "viz/figure/surface.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

draw::Box pixels_of(const MatrixFrame& frame, const CellRect& rect, float least)
{
    const draw::Box exact = frame.box_of(rect);
    const ImVec2 low{std::floor(exact.min.x), std::floor(exact.min.y)};
    return {low,
            {std::max(low.x + least, std::round(std::max(exact.max.x, exact.min.x + least))),
             std::max(low.y + least, std::round(std::max(exact.max.y, exact.min.y + least)))}};
}

// Returns whether elements are large enough for lines between them.
bool lined(const MatrixFrame& frame)
{
    return frame.cell >= 6 && frame.cell_height() >= 6;
}

} // namespace

MapShape plain_shape(uint32_t rows, uint32_t cols)
{
    return {rows, cols, false, cols};
}

std::optional<Cell> MatrixFrame::element_under(ImVec2 point) const
{
    if (!box().holds(point) || cell <= 0)
        return {};
    return map_element(shape, {static_cast<uint32_t>((point.y - corner.y) / cell_height()),
                               static_cast<uint32_t>((point.x - corner.x) / cell)});
}

void draw_matrix(Surface& surface, const MatrixFrame& frame, const Theme& theme)
{
    const draw::Box box = frame.box();
    surface.fill(box, draw::empty_colour(theme));
    const uint32_t last = frame.shape.wrapped ? frame.shape.count % frame.shape.cols : 0;
    if (last != 0) // the last row of a wrapped vector is shorter
        surface.fill({{box.min.x + frame.cell * static_cast<float>(last), box.max.y - frame.cell_height()}, box.max},
                     theme.background);
    surface.outline({{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}}, theme.border, 1);
    if (!lined(frame))
        return;
    const Colour line = draw::with_alpha(theme.border, 0.6f);
    for (uint32_t col = 1; col < frame.shape.cols; ++col) {
        const float x = std::round(box.min.x + frame.cell * static_cast<float>(col));
        surface.fill({{x, box.min.y}, {x + 1, box.max.y}}, line);
    }
    for (uint32_t row = 1; row < frame.shape.rows; ++row) {
        const float y = std::round(box.min.y + frame.cell_height() * static_cast<float>(row));
        surface.fill({{box.min.x, y}, {box.max.x, y + 1}}, line);
    }
}

void fill_cells(Surface& surface, const MatrixFrame& frame, const std::vector<CellRect>& rects, Colour colour,
                float least)
{
    const Colour edge = draw::with_alpha(mix(colour, ink_on(colour), 0.5f), 0.22f);
    for (const CellRect& rect : rects) {
        surface.fill(pixels_of(frame, rect, least), colour);
        if (!lined(frame))
            continue;
        for (uint32_t row = 0; row < rect.rows; ++row)
            for (uint32_t col = 0; col < rect.cols; ++col) {
                const draw::Box cell = pixels_of(frame, {rect.row + row, rect.col + col, 1, 1}, 1);
                surface.outline({cell.min, {cell.max.x + 1, cell.max.y + 1}}, edge, 1);
            }
    }
}

std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<Cell>& cells)
{
    std::vector<Cell> places;
    for (const Cell& cell : cells)
        places.push_back(map_place(frame.shape, cell));
    return cover(std::move(places));
}

std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<CellRect>& rects)
{
    if (!frame.shape.wrapped)
        return rects;
    std::vector<Cell> cells;
    for (const CellRect& rect : rects)
        for (uint32_t col = 0; col < rect.cols; ++col)
            cells.push_back({rect.row, rect.col + col});
    return placed(frame, cells);
}

} // namespace viz
