#include "viz/figure/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace viz {

namespace {

constexpr float least_tip_reach = 6; // of a point in a file with tips; pixels at scale 1
constexpr float reach = 14;          // distance from the mouse, in pixels at scale 1, within which a point is found

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
        painter.surface.push_clip(area);
        for (const CurveLayer::Region& region : layer.regions)
            paint_region(region);
        for (std::size_t i = layer.curves.size(); i-- > 0;)
            paint_curve(layer.curves[i]);
        for (const LimitLine& limit : layer.limits)
            paint_limit(limit);
        painter.surface.pop_clip();
        for (std::size_t i = layer.curves.size(); i-- > 0;)
            paint_points(layer.curves[i]);
        painter.mark(layer.name, area, {});
        for (const LimitLine& limit : layer.limits)
            name_limit(limit);
        for (const CurveLayer::Curve& curve : layer.curves)
            paint_labels(curve);
        const bool drags = layer.drag && painter.drags(area);
        if (painter.tips_wanted())
            add_tips();
        if (drags || painter.points_at(area))
            point(drags);
    }

private:
    ImVec2 at(const CurveLayer::Point& point) const
    {
        return {right.at(point.right) + painter.px(point.moved), up.at(point.up)};
    }

    void paint_region(const CurveLayer::Region& region)
    {
        std::vector<ImVec2> corners;
        for (const auto& [x, y] : region.corners)
            corners.push_back({right.at(x), up.at(y)});
        painter.surface.polygon(corners, region.colour);
    }

    void paint_limit(const LimitLine& limit)
    {
        const float y = std::round(up.at(limit.value));
        const Box drawn{{area.min.x, y - painter.px(1)}, {area.max.x, y + painter.px(1)}};
        painter.surface.fill(drawn, limit.colour);
        painter.mark(limit.name, drawn, {limit.value, limit.colour, limit.words});
    }

    void name_limit(const LimitLine& limit)
    {
        if (!limit.words.empty())
            painter.label({.words = limit.words,
                           .at = {area.min.x + painter.px(4) + draw::measure(painter.theme.text, limit.words).x / 2,
                                  up.at(limit.value)},
                           .distance = 1,
                           .side = Label::Side::above});
    }

    // Draws no line from or to a point without a height.
    static bool is_gap(ImVec2 from, ImVec2 until) { return std::isnan(from.y) || std::isnan(until.y); }

    void paint_curve(const CurveLayer::Curve& curve)
    {
        std::vector<ImVec2> line;
        for (const CurveLayer::Point& point : curve.points)
            line.push_back(at(point));
        for (std::size_t i = 0; curve.filled && i + 1 < line.size(); ++i)
            if (line[i + 1].x > line[i].x && !is_gap(line[i], line[i + 1]))
                painter.surface.polygon(
                    std::array{line[i], line[i + 1], ImVec2{line[i + 1].x, area.max.y}, ImVec2{line[i].x, area.max.y}},
                    draw::with_alpha(curve.colour, 0.28f));
        if (curve.line <= 0 || line.size() < 2)
            return;
        if (!curve.name.empty())
            painter.mark(curve.name, {line.back(), line.back()}, {curve.points.back().up, curve.colour, curve.label});
        const float thick = painter.px(curve.line);
        if (curve.dashed) {
            for (std::size_t i = 0; i + 1 < line.size(); ++i)
                if (!is_gap(line[i], line[i + 1]))
                    dash(line[i], line[i + 1], curve.colour, thick);
            return;
        }
        const auto gap = [](ImVec2 one) { return std::isnan(one.y); };
        for (auto from = line.begin(); from != line.end();) {
            const auto until = std::find_if(from, line.end(), gap);
            if (until - from > 1)
                painter.surface.line(std::span(from, until), curve.colour, thick, false);
            from = std::find_if_not(until, line.end(), gap);
        }
    }

    void dash(ImVec2 from, ImVec2 until, Colour colour, float thick)
    {
        const float length = std::hypot(until.x - from.x, until.y - from.y), every = painter.px(7), on = painter.px(3);
        const auto on_way = [&](float gone) {
            const float share = std::min(gone / length, 1.0f);
            return ImVec2{from.x + (until.x - from.x) * share, from.y + (until.y - from.y) * share};
        };
        for (float gone = 0; gone < length; gone += every)
            painter.surface.line(on_way(gone), on_way(gone + on), colour, thick);
    }

    // Draws each point on a background that separates it from its neighbours.
    void paint_points(const CurveLayer::Curve& curve)
    {
        if (curve.radius <= 0)
            return;
        const float radius = painter.px(curve.radius);
        for (const CurveLayer::Point& point : curve.points) {
            const ImVec2 middle = at(point);
            if (std::isnan(middle.y) || middle.x < area.min.x - 1 || middle.x > area.max.x + 1 ||
                middle.y < area.min.y - 1 ||
                middle.y > area.max.y + 1) // outside of the chart; a point at the edge is drawn as a whole
                continue;
            const Colour colour = point.colour != 0 ? point.colour : curve.colour;
            if (point.glyph != CurveLayer::Glyph::tick)
                glyph(point.glyph, middle, radius + painter.px(1), painter.theme.panel);
            glyph(point.glyph, middle, radius, colour);
            if (point.glyph == CurveLayer::Glyph::ring || point.glyph == CurveLayer::Glyph::frame)
                glyph(point.glyph, middle, radius - painter.px(1.5f), painter.theme.panel);
            painter.take(draw::around(middle, radius));
            if (!point.name.empty())
                painter.mark(point.name, draw::around(middle, radius),
                             {point.value ? point.value : point.up, colour, point.label});
        }
    }

    void glyph(CurveLayer::Glyph which, ImVec2 middle, float radius, Colour colour)
    {
        using Glyph = CurveLayer::Glyph;
        const Box box = draw::around(middle, radius);
        switch (which) {
        case Glyph::disc:
        case Glyph::ring: painter.surface.circle(middle, radius, colour); break;
        case Glyph::square:
        case Glyph::frame: painter.surface.fill(draw::around(middle, 0.85f * radius), colour); break;
        case Glyph::tick: {
            const float half = painter.px(0.5f), left = std::round(middle.x - half);
            painter.surface.fill({{left, box.min.y}, {left + 2 * half, box.max.y}}, colour);
            break;
        }
        case Glyph::diamond:
            painter.surface.polygon(
                std::array<ImVec2, 4>{
                    {{middle.x, box.min.y}, {box.max.x, middle.y}, {middle.x, box.max.y}, {box.min.x, middle.y}}},
                colour);
            break;
        case Glyph::arrow:
            painter.surface.polygon(std::array<ImVec2, 3>{{box.min, {box.max.x, middle.y}, {box.min.x, box.max.y}}},
                                    colour);
            break;
        }
    }

    void paint_labels(const CurveLayer::Curve& curve)
    {
        // The topmost point is labelled first.
        for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point)
            if (!point->label.empty())
                label_point(curve, *point);
        if (curve.label.empty() || curve.points.empty())
            return;
        if (curve.on_line)
            name_on_line(curve);
        else
            painter.label({.words = curve.label,
                           .at = at(curve.points.back()),
                           .distance = curve.radius + 3,
                           // The labels of faint curves are drawn in ink.
                           .colour = curve.colour >> 24 == 0xff ? curve.colour : 0,
                           .plate = true});
    }

    void label_point(const CurveLayer::Curve& curve, const CurveLayer::Point& point)
    {
        const Label label{.words = point.label,
                          .at = at(point),
                          .distance = curve.radius + 3,
                          .colour = point.colour != 0 ? painter.theme.ink_quiet : curve.colour,
                          .plate = true};
        if (!painter.label(label) && point.leads)
            label_at_line(label, point.name, painter.px(curve.radius));
    }

    // Places a label away from its point, at the end of a line. The line crosses no text and no other such line.
    // Prefers near places, and among them those whose line crosses no point. Without a free place there is no label.
    void label_at_line(Label label, const std::string& name, float radius)
    {
        label.name = "label:" + name;
        label.side = Label::Side::middle;
        const float begin = 1.5f * radius + painter.px(2);
        for (const float crowd : {begin, painter.px(32)}) // how close other points may be
            for (float away = painter.px(20); away < painter.px(160); away += painter.px(14))
                for (int i = 0; i < 16; ++i) {
                    // Begins at the upper left, because there is most room beside a rising roof.
                    const float angle = std::numbers::pi_v<float> * (1.25f + static_cast<float>(i) / 8);
                    if (is_placed(label, {std::cos(angle), std::sin(angle)}, away, {begin, crowd}))
                        return;
                }
    }

    struct LineFrom {
        // Distances from the point: the line begins at `begin`, and must not cross points beyond `crowd`.
        float begin = 0, crowd = 0;
    };
    // Places a label in a direction from its point. Returns whether there was room for it and its line.
    bool is_placed(Label label, ImVec2 way, float away, LineFrom line_from)
    {
        const ImVec2 from = label.at, size = draw::measure(painter.theme.text, label.words);
        label.at = {from.x + way.x * (away + size.x / 2), from.y + way.y * (away + size.y / 2)};
        const ImVec2 half{size.x / 2 + painter.px(4), size.y / 2 + painter.px(2)};
        const Box words{{label.at.x - half.x, label.at.y - half.y}, {label.at.x + half.x, label.at.y + half.y}};
        const ImVec2 end{std::clamp(from.x, words.min.x, words.max.x), std::clamp(from.y, words.min.y, words.max.y)};
        const std::vector<ImVec2> line = stretch(from, end, line_from.begin);
        const auto blocked = [&](ImVec2 one) {
            const Box here = draw::around(one, 1.5f);
            const bool crosses = std::ranges::any_of(leaders, [&](const Box& other) { return other.overlaps(here); });
            return crosses || (std::hypot(one.x - from.x, one.y - from.y) > line_from.crowd && !painter.is_free(here));
        };
        if (line.empty() || std::ranges::any_of(line, blocked) || !area.holds(words.min) || !area.holds(words.max) ||
            !painter.label(label))
            return false;
        painter.surface.line(std::array{line.front(), line.back()}, label.colour, painter.px(1), false);
        for (const ImVec2 one : line) {
            leaders.push_back(draw::around(one, 1.5f));
            painter.take(leaders.back());
        }
        return true;
    }

    // Returns points along a line, from a distance `begin` on. Returns none if the line is shorter.
    std::vector<ImVec2> stretch(ImVec2 from, ImVec2 until, float begin) const
    {
        std::vector<ImVec2> points;
        const ImVec2 way{until.x - from.x, until.y - from.y};
        const float length = std::hypot(way.x, way.y), every = painter.px(2);
        for (float gone = begin; gone < length; gone += every)
            points.push_back({from.x + way.x * gone / length, from.y + way.y * gone / length});
        return points;
    }

    // Returns whether a wide line, such as a column, or a limit crosses the words.
    bool is_crossed(const Box& words) const
    {
        constexpr float wide = 8;
        for (const CurveLayer::Curve& curve : layer.curves)
            for (std::size_t i = 1; curve.line >= wide && i < curve.points.size(); ++i) {
                const ImVec2 a = at(curve.points[i - 1]), b = at(curve.points[i]);
                const float half = painter.px(curve.line) / 2;
                if (words.overlaps({{std::min(a.x, b.x) - half, std::min(a.y, b.y)},
                                    {std::max(a.x, b.x) + half, std::max(a.y, b.y)}}))
                    return true;
            }
        return std::ranges::any_of(layer.limits, [&](const LimitLine& limit) {
            const float y = up.at(limit.value);
            return words.min.y < y && y < words.max.y;
        });
    }

    // Labels a straight, rising line where it enters the chart at the left or bottom edge. Moves the label along the
    // line if other text is there.
    void name_on_line(const CurveLayer::Curve& curve)
    {
        const ImVec2 from = at(curve.points.front()), until = at(curve.points.back());
        const float half = draw::measure(painter.theme.text, curve.label).x / 2 + painter.px(8);
        for (float x = std::max(from.x, area.min.x) + half; x < std::min(until.x, area.max.x - half);
             x += painter.px(12)) {
            const float y = from.y + (until.y - from.y) * (x - from.x) / std::max(until.x - from.x, 1.0f);
            const float line = draw::line_height(painter.theme.text);
            if (y > area.max.y - line || y < area.min.y ||
                is_crossed({{x - half, y - line / 2}, {x + half, y + line / 2}}))
                continue;
            if (painter.label({.words = curve.label,
                               .at = {x, y},
                               .colour = mix(curve.colour, painter.theme.ink, 0.45f), // readable in the light theme too
                               .side = Label::Side::middle,
                               .plate = true}))
                return;
        }
    }

    void add_tips()
    {
        for (const CurveLayer::Curve& curve : layer.curves)
            for (const CurveLayer::Point& one : curve.points)
                if (one.tip)
                    painter.tip(draw::around(at(one), painter.px(std::max(least_tip_reach, curve.radius))), one.tip);
    }

    void point(bool drags)
    {
        const ImVec2 mouse = *painter.pointer();
        const CurveLayer::Point* nearest = nullptr;
        float best = painter.px(reach);
        for (const CurveLayer::Curve& curve : layer.curves)
            for (const CurveLayer::Point& one : curve.points)
                if (one.tip || one.click || one.hover)
                    if (const float distance = std::hypot(at(one).x - mouse.x, at(one).y - mouse.y); distance < best) {
                        best = distance;
                        nearest = &one;
                    }
        Hit hit;
        const double value = right.value_at(mouse.x), height = up.value_at(mouse.y);
        if (nearest != nullptr)
            hit = {nearest->tip, nearest->click, {}, nearest->hover};
        else if (layer.tip)
            hit.tip = [tip = layer.tip, value, height] { return tip(value, height); };
        if (drags)
            hit.drag = [drag = layer.drag, value](const ViewScene& scene) { drag(scene, value); };
        painter.hit(std::move(hit));
    }

    Painter& painter;
    const CurveLayer& layer;
    Box box, area;
    Scale right, up;
    std::vector<Box> leaders; // along the lines to labels
};

} // namespace

void paint(Painter& painter, const CurveLayer& layer, const Box& box)
{
    if (box.width() > painter.px(60) && box.height() > painter.px(60))
        CurvePainter(painter, layer, box).paint();
}

} // namespace viz
