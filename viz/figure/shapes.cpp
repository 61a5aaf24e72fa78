#include "viz/figure/painter.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

Box bounds_of(const Shape& shape, float radius)
{
    Box box{shape.points.front(), shape.points.front()};
    for (const ImVec2 point : shape.points) {
        box.min = {std::min(box.min.x, point.x), std::min(box.min.y, point.y)};
        box.max = {std::max(box.max.x, point.x), std::max(box.max.y, point.y)};
    }
    return shape.kind == Shape::Kind::circle
               ? Box{{box.min.x - radius, box.min.y - radius}, {box.max.x + radius, box.max.y + radius}}
               : box;
}

float distance_to(ImVec2 point, ImVec2 a, ImVec2 b)
{
    const float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const float share =
        length > 0 ? std::clamp(((point.x - a.x) * x + (point.y - a.y) * y) / length, 0.0f, 1.0f) : 0.0f;
    return std::hypot(a.x + share * x - point.x, a.y + share * y - point.y);
}

bool is_at(const Shape& shape, const Box& bounds, ImVec2 point, float near)
{
    if (shape.kind != Shape::Kind::line)
        return bounds.holds(point);
    for (std::size_t i = 1; i < shape.points.size(); ++i)
        if (distance_to(point, shape.points[i - 1], shape.points[i]) <= near)
            return true;
    return false;
}

void paint_shape(Painter& painter, const Shape& shape)
{
    if (shape.points.empty())
        return;
    Surface& surface = painter.surface;
    const float thick = painter.px(shape.thick), radius = painter.px(shape.radius);
    const Box bounds = bounds_of(shape, radius);
    const bool closed = shape.kind == Shape::Kind::polygon;
    switch (shape.kind) {
    case Shape::Kind::box:
        if (shape.fill != 0)
            surface.fill(bounds, shape.fill, radius);
        if (shape.stroke != 0)
            surface.outline(bounds, shape.stroke, thick);
        break;
    case Shape::Kind::circle:
        if (shape.fill != 0)
            surface.circle(shape.points.front(), radius, shape.fill);
        if (shape.stroke != 0)
            surface.ring(shape.points.front(), radius, shape.stroke, thick);
        break;
    case Shape::Kind::line:
    case Shape::Kind::polygon:
        if (closed && shape.fill != 0)
            surface.polygon(shape.points, shape.fill);
        if (shape.stroke != 0)
            surface.line(shape.points, shape.stroke, thick, closed);
        break;
    }
    if (!shape.words.empty())
        painter.text_in(painter.theme.mono, bounds, shape.fill != 0 ? ink_on(shape.fill) : painter.theme.ink,
                        shape.words);
    if (!shape.name.empty())
        painter.mark(shape.name, bounds, {shape.value, shape.fill != 0 ? shape.fill : shape.stroke, shape.words});
    if ((shape.tip || shape.click) && painter.pointer() && is_at(shape, bounds, *painter.pointer(), painter.px(4)))
        painter.hit({shape.tip, shape.click, {}});
}

} // namespace

void paint(Painter& painter, const ShapeLayer& layer, const Box& box)
{
    if (layer.clipped)
        painter.surface.push_clip(box);
    for (const Shape& shape : layer.shapes)
        paint_shape(painter, shape);
    if (layer.clipped)
        painter.surface.pop_clip();
}

} // namespace viz
