#include "viz/figure/painter.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr int curve_parts = 14; // number of straight parts of a curve, enough to look smooth

Box bounds_of(const Shape& shape)
{
    if (shape.points.empty())
        return shape.box;
    Box box{shape.points.front(), shape.points.front()};
    for (const ImVec2 point : shape.points) {
        box.min = {std::min(box.min.x, point.x), std::min(box.min.y, point.y)};
        box.max = {std::max(box.max.x, point.x), std::max(box.max.y, point.y)};
    }
    return box;
}

float distance_to(ImVec2 point, ImVec2 a, ImVec2 b)
{
    const float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const float share =
        length > 0 ? std::clamp(((point.x - a.x) * x + (point.y - a.y) * y) / length, 0.0f, 1.0f) : 0.0f;
    return std::hypot(a.x + share * x - point.x, a.y + share * y - point.y);
}

bool is_at(std::span<const ImVec2> line, ImVec2 point, float near)
{
    for (std::size_t i = 1; i < line.size(); ++i)
        if (distance_to(point, line[i - 1], line[i]) <= near)
            return true;
    return false;
}

std::vector<ImVec2> line_along(const Shape& curve)
{
    std::vector<ImVec2> points;
    for (int i = 0; i <= curve_parts; ++i)
        points.push_back(curve_at(curve.points, static_cast<float>(i) / curve_parts));
    return points;
}

void paint_closed(Painter& painter, const Shape& shape)
{
    Surface& surface = painter.surface;
    const float thick = painter.px(shape.thick);
    switch (shape.kind) {
    case Shape::Kind::box:
        if (shape.fill != 0)
            surface.fill(shape.box, shape.fill, painter.px(shape.radius));
        if (shape.stroke != 0)
            surface.outline(shape.box, shape.stroke, thick);
        break;
    case Shape::Kind::circle:
        if (shape.fill != 0)
            surface.circle(shape.box.middle(), shape.box.width() / 2, shape.fill);
        if (shape.stroke != 0)
            surface.ring(shape.box.middle(), shape.box.width() / 2, shape.stroke, thick);
        break;
    case Shape::Kind::polygon:
        if (shape.fill != 0)
            surface.polygon(shape.points, shape.fill);
        if (shape.stroke != 0)
            surface.line(shape.points, shape.stroke, thick, true);
        break;
    case Shape::Kind::line:
    case Shape::Kind::curve: break;
    }
}

// Adds squares along a part of a line, as wide as the distance at which the mouse finds it.
void add_tips_along(Painter& painter, ImVec2 a, ImVec2 b, float near, const Tip& tip)
{
    const int squares = std::max(1, static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / (2 * near)));
    for (int i = 0; i <= squares; ++i) {
        const float share = static_cast<float>(i) / static_cast<float>(squares);
        painter.tip(draw::around({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}, near), tip);
    }
}

// `line` has the points of a line or a curve. It is empty for other shapes.
void say(Painter& painter, const Shape& shape, std::span<const ImVec2> line)
{
    const Shape::Said& said = *shape.said;
    const Box bounds = bounds_of(shape);
    if (!said.words.empty())
        painter.text_in(painter.theme.mono, bounds, shape.fill != 0 ? ink_on(shape.fill) : painter.theme.ink,
                        said.words);
    if (!said.name.empty())
        painter.mark(said.name, bounds, {said.value, shape.fill != 0 ? shape.fill : shape.stroke, said.words});
    if (said.tip && painter.tips_wanted()) {
        const float near = painter.px(4);
        if (line.empty())
            painter.tip(bounds, said.tip);
        for (std::size_t i = 1; i < line.size(); ++i)
            add_tips_along(painter, line[i - 1], line[i], near, said.tip);
    }
    const auto pointer = painter.pointer();
    if ((said.tip || said.click || said.hover) && pointer &&
        (line.empty() ? bounds.holds(*pointer) : is_at(line, *pointer, painter.px(4))))
        painter.hit({said.tip, said.click, {}, said.hover});
}

void paint_shape(Painter& painter, const Shape& shape)
{
    const bool curved = shape.kind == Shape::Kind::curve, open = curved || shape.kind == Shape::Kind::line;
    const std::vector<ImVec2> sampled = curved ? line_along(shape) : std::vector<ImVec2>();
    const std::span<const ImVec2> line = curved ? sampled : open ? std::span(shape.points) : std::span<const ImVec2>();
    if (open)
        painter.surface.line(line, shape.stroke, painter.px(shape.thick), false);
    else
        paint_closed(painter, shape);
    if (shape.said)
        say(painter, shape, line);
}

} // namespace

void add_frame(std::vector<Shape>& shapes, const Theme& theme, const Box& box, Colour colour, float thick)
{
    const Box around{{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}};
    shapes.push_back({.box = around, .stroke = theme.background, .thick = thick + 2});
    shapes.push_back({.box = around, .stroke = colour, .thick = thick});
}

ImVec2 curve_at(std::span<const ImVec2> points, float share)
{
    const float t = share, s = 1 - share;
    const float weights[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    ImVec2 at{0, 0};
    for (std::size_t i = 0; i < 4; ++i)
        at = {at.x + weights[i] * points[i].x, at.y + weights[i] * points[i].y};
    return at;
}

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
