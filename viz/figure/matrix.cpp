#include "viz/figure/painter.h"

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

} // namespace

void paint(Painter& painter, const MatrixLayer& layer, const Box& box)
{
    const MatrixFrame& frame = layer.frame;
    if (frame.shape.rows == 0 || frame.shape.cols == 0)
        return;
    if (!layer.bare)
        draw_matrix(painter.surface, frame, painter.theme);
    for (const MatrixLayer::Part& part : layer.parts)
        fill_cells(painter.surface, frame, part.cells, part.colour, part.least);
    if (!layer.name.empty())
        painter.mark(layer.name, frame.box(), {});
    if (layer.value && draw::values_fit(painter.theme, layer.widest, frame))
        print_values(painter, layer, box);
    if ((layer.tip || layer.click) && painter.points_at(box))
        if (const auto cell = frame.element_under(*painter.pointer()))
            point_at_element(painter, layer, *cell);
}

} // namespace viz
