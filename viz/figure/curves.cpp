#include "viz/figure/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr float reach = 14; // pixels at scale 1: a point farther from the mouse is not meant

class CurvePainter {
public:
    CurvePainter(Painter& with, const CurveLayer& what, const Box& place)
        : painter(with), layer(what), box(place), area(chart_area(with, what.right, what.up, place)),
          right(what.right, area.min.x, area.max.x), up(what.up, area.max.y, area.min.y)
    {
    }

    void paint()
    {
        paint_axes(painter, right, up, box, area);
        for (const LimitLine& limit : layer.limits)
            paint_limit(limit);
        for (std::size_t i = layer.curves.size(); i-- > 0;)
            paint_curve(layer.curves[i]);
        painter.mark(layer.name, area, {});
        take_points();
        for (const CurveLayer::Curve& curve : layer.curves)
            paint_labels(curve);
        if (painter.points_at(area))
            point();
    }

private:
    ImVec2 at(const CurveLayer::Point& point) const { return {right.at(point.right), up.at(point.up)}; }

    void paint_limit(const LimitLine& limit)
    {
        const float y = std::round(up.at(limit.value));
        const Box drawn{{area.min.x, y - painter.px(1)}, {area.max.x, y + painter.px(1)}};
        painter.surface.fill(drawn, limit.colour);
        painter.mark(limit.name, drawn, {limit.value, limit.colour, limit.words});
        if (!limit.words.empty())
            painter.label({.words = limit.words,
                           .at = {area.min.x + painter.px(4) + draw::measure(painter.theme.text, limit.words).x / 2, y},
                           .side = Label::Side::above});
    }

    void paint_curve(const CurveLayer::Curve& curve)
    {
        std::vector<ImVec2> line;
        for (const CurveLayer::Point& point : curve.points)
            line.push_back(at(point));
        if (curve.filled)
            for (std::size_t i = 0; i + 1 < line.size(); ++i)
                if (line[i + 1].x > line[i].x)
                    painter.surface.polygon(std::array{line[i], line[i + 1], ImVec2{line[i + 1].x, area.max.y},
                                                       ImVec2{line[i].x, area.max.y}},
                                            draw::with_alpha(curve.colour, 0.28f));
        if (curve.line > 0 && line.size() > 1)
            painter.surface.line(line, curve.colour, painter.px(curve.line), false);
        if (curve.radius <= 0)
            return;
        const float radius = painter.px(curve.radius);
        for (std::size_t i = 0; i < line.size(); ++i) {
            painter.surface.circle(line[i], radius + painter.px(1), painter.theme.panel);
            painter.surface.circle(line[i], radius, curve.colour);
            const CurveLayer::Point& point = curve.points[i];
            if (!point.name.empty())
                painter.mark(point.name, draw::around(line[i], radius), {point.up, curve.colour, point.label});
        }
    }

    // No label covers a point.
    void take_points()
    {
        for (const CurveLayer::Curve& curve : layer.curves)
            for (const CurveLayer::Point& point : curve.points)
                if (curve.radius > 0)
                    painter.take(draw::around(at(point), painter.px(curve.radius)));
    }

    void paint_labels(const CurveLayer::Curve& curve)
    {
        for (const CurveLayer::Point& point : curve.points)
            if (!point.label.empty())
                painter.label({.words = point.label, .at = at(point), .distance = curve.radius + 4});
        if (!curve.label.empty() && !curve.points.empty())
            painter.label({.words = curve.label, .at = at(curve.points.back()), .colour = curve.colour});
    }

    void point()
    {
        const ImVec2 mouse = *painter.pointer();
        const CurveLayer::Point* nearest = nullptr;
        float best = painter.px(reach);
        for (const CurveLayer::Curve& curve : layer.curves)
            for (const CurveLayer::Point& one : curve.points)
                if (one.tip || one.click)
                    if (const float distance = std::hypot(at(one).x - mouse.x, at(one).y - mouse.y); distance < best) {
                        best = distance;
                        nearest = &one;
                    }
        Hit hit;
        const double value = right.value_at(mouse.x);
        if (nearest != nullptr)
            hit = {nearest->tip, nearest->click, {}};
        else if (layer.tip)
            hit.tip = [tip = layer.tip, value] { return tip(value); };
        if (layer.drag)
            hit.drag = [drag = layer.drag, value](const ViewScene& scene) { drag(scene, value); };
        painter.hit(std::move(hit));
    }

    Painter& painter;
    const CurveLayer& layer;
    Box box, area;
    Scale right, up;
};

} // namespace

void paint(Painter& painter, const CurveLayer& layer, const Box& box)
{
    if (box.width() > painter.px(60) && box.height() > painter.px(60))
        CurvePainter(painter, layer, box).paint();
}

} // namespace viz
