#include "viz/figure/painter.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace viz {

namespace {

void print_values(Painter& painter, const MatrixLayer& layer, const Box& sight)
{
    const auto put = [&](ImFont* font, const Box& box, Colour ink, std::string_view words) {
        painter.text_in(font, box, ink, words);
    };
    draw::each_element(layer.frame, sight, [&](const Cell& cell, const Box& box) {
        if (const draw::NamedValue value = layer.value(cell); !value.name.empty() || !value.value.empty())
            draw::named_value(painter.theme, box, value, put);
    });
}

void point_at_element(Painter& painter, const MatrixLayer& layer, const Cell& cell)
{
    Hit hit;
    if (layer.tip)
        hit.tip = [tip = layer.tip, cell] { return tip(cell); };
    if (layer.click)
        hit.click = layer.click(cell);
    painter.hit(std::move(hit));
}

// Returns the bounding box of all cells of a part, with the part's minimum thickness.
Box around(const MatrixFrame& frame, const MatrixLayer::Part& part)
{
    Box all = frame.box_of(part.cells.front());
    for (const CellRect& rect : part.cells) {
        const Box one = frame.box_of(rect);
        all = {{std::min(all.min.x, one.min.x), std::min(all.min.y, one.min.y)},
               {std::max({all.max.x, one.max.x, one.min.x + part.least}),
                std::max({all.max.y, one.max.y, one.min.y + part.least})}};
    }
    return all;
}

// Returns the distance between numbered rows or columns at which each number fits.
uint32_t ruler_step(float needed, float cell)
{
    uint32_t step = 1;
    while (step < 1u << 30 && static_cast<float>(step) * cell < needed)
        step *= 2;
    return step;
}

void paint_rulers(Painter& painter, const MatrixFrame& frame, const Box& ruled)
{
    const MapShape& shape = frame.shape;
    const ImVec2 text = draw::measure(painter.theme.mono, std::to_string(std::max(shape.cols, shape.rows)));
    const auto write = [&](uint64_t number, ImVec2 at, float distance, Label::Side side) {
        painter.label({.words = std::to_string(number), .at = at, .distance = distance, .side = side, .mono = true});
    };
    const uint32_t across = ruler_step(text.x + painter.px(14), frame.cell);
    for (uint32_t col = 0; col < shape.cols; col += across)
        if (const float x = frame.box_of({0, col, 1, 1}).middle().x; x >= ruled.min.x && x <= ruled.max.x)
            write(col, {x, ruled.min.y}, 3, Label::Side::above);
    const uint32_t down = ruler_step(text.y + painter.px(6), frame.cell_height());
    const float highest = ruled.min.y - painter.px(3) + text.y / 2;
    for (uint32_t row = 0; row < shape.rows; row += down)
        if (const float y = frame.box_of({row, 0, 1, 1}).middle().y; y >= ruled.min.y && y <= ruled.max.y)
            write(shape.wrapped ? uint64_t{row} * shape.cols : row, {ruled.min.x, std::max(y, highest)}, 6,
                  Label::Side::left);
}

} // namespace

ImVec2 ruler_size(const Theme& theme, const MapShape& shape)
{
    const ImVec2 text = draw::measure(theme.mono, std::to_string(shape.wrapped ? shape.count : shape.rows));
    return {std::ceil(text.x + theme.px(8)), std::ceil(text.y + theme.px(4))};
}

void paint(Painter& painter, const MatrixLayer& layer, const Box& box)
{
    const MatrixFrame& frame = layer.frame;
    if (frame.shape.rows == 0 || frame.shape.cols == 0)
        return;
    if (!layer.bare)
        draw_matrix(painter.surface, frame, painter.theme);
    for (const MatrixLayer::Part& part : layer.parts) {
        fill_cells(painter.surface, frame, part.cells, part.colour, part.least);
        if (!part.name.empty() && !part.cells.empty())
            painter.mark(part.name, around(frame, part), {.colour = part.colour});
    }
    if (!layer.name.empty())
        painter.mark(layer.name, frame.box(), {});
    if (layer.value && draw::values_fit(painter.theme, layer.widest, frame))
        print_values(painter, layer, box);
    if (layer.ruled)
        paint_rulers(painter, frame, *layer.ruled);
    if ((layer.tip || layer.click) && painter.points_at(box))
        if (const auto cell = frame.element_under(*painter.pointer()))
            point_at_element(painter, layer, *cell);
}

} // namespace viz
