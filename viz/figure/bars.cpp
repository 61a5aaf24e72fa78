#include "viz/figure/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

class BarPainter {
public:
    BarPainter(Painter& with, const BarLayer& what, const Box& place) : painter(with), layer(what), box(place)
    {
        const Theme& theme = painter.theme;
        line = draw::row_height(theme, 0);
        for (const BarLayer::Bar& bar : layer.bars)
            parts = std::max(parts, layer.stacked ? std::size_t{1} : bar.parts.size());
        least = std::max(line, (layer.least_height > 0 ? painter.px(layer.least_height) : line) *
                                   static_cast<float>(std::min<std::size_t>(parts, 1)));
        least = std::max(least, painter.px(7) * static_cast<float>(parts)) + painter.px(3);
        shown = std::min(layer.bars.size(), static_cast<std::size_t>(std::max(box.height() / least, 0.0f)));
        most = layer.most;
        float names = 0, numbers = 0;
        for (std::size_t i = 0; i < shown; ++i) {
            const BarLayer::Bar& bar = layer.bars[i];
            names = std::max(names, draw::measure(theme.text, bar.name).x);
            for (const BarLayer::Part& part : bar.parts)
                numbers = std::max(numbers, draw::measure(theme.mono_bold, part.words).x);
            if (layer.most == 0)
                most = std::max(most, longest(bar));
        }
        left = std::round(box.min.x + std::min(names, 0.5f * box.width()) + painter.px(8));
        right = std::max(box.max.x - numbers - painter.px(8), left + 1);
    }

    void paint()
    {
        if (shown == 0)
            return;
        const float row = std::min(box.height() / static_cast<float>(shown), std::max(2.2f * line, least));
        for (std::size_t i = 0; i < shown; ++i) {
            const float top = box.min.y + row * static_cast<float>(i);
            paint_bar(layer.bars[i], {{box.min.x, top}, {box.max.x, top + row}});
        }
    }

private:
    double longest(const BarLayer::Bar& bar) const
    {
        double sum = 0, one = 0;
        for (const BarLayer::Part& part : bar.parts) {
            sum += part.value.value_or(0);
            one = std::max(one, part.value.value_or(0));
        }
        return layer.stacked ? sum : one;
    }

    float x_of(double value) const
    {
        const double share = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
        return left + (right - left) * static_cast<float>(share);
    }

    std::string name_of(const BarLayer::Bar& bar, const std::string& series) const
    {
        return fmt::format("{}{}{}{}{}", layer.name, layer.name.empty() ? "" : ":", bar.id.empty() ? bar.name : bar.id,
                           series.empty() ? "" : " ", series);
    }

    void paint_bar(const BarLayer::Bar& bar, const Box& row)
    {
        const Theme& theme = painter.theme;
        if (bar.lit)
            painter.surface.fill(row, mix(theme.background, theme.ink, 0.1f));
        const std::string name = painter.shortened(theme.text, bar.name, left - painter.px(8) - row.min.x);
        painter.text(theme.text, {row.min.x, (row.min.y + row.max.y - line) / 2}, bar.lit ? theme.ink : theme.ink_quiet,
                     name, name != bar.name);
        const float height = (row.height() - painter.px(3)) / static_cast<float>(parts);
        float from = left;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            const float top = row.min.y + painter.px(1) + (layer.stacked ? 0 : height * static_cast<float>(i));
            const Box whole{{left, top}, {right, top + height - 1}};
            if (layer.on_ground && (i == 0 || !layer.stacked))
                painter.surface.fill(whole, draw::empty_colour(theme));
            from = paint_part(bar, bar.parts[i], whole, layer.stacked ? from : left);
        }
        for (const LimitLine& limit : bar.limits)
            paint_limit(limit, row);
        if (painter.points_at(row))
            painter.hit({bar.tip, bar.click, {}});
    }

    // Returns where it ends.
    float paint_part(const BarLayer::Bar& bar, const BarLayer::Part& part, const Box& whole, float from)
    {
        const Theme& theme = painter.theme;
        const float middle = (whole.min.y + whole.max.y - line) / 2;
        const bool printed = whole.height() >= 0.8f * line;
        const std::string words = part.value ? part.words : "-";
        float end = from;
        if (part.value) {
            end = std::max(from + x_of(*part.value) - left, from + painter.px(1));
            const Box drawn{{from, whole.min.y}, {end, whole.max.y}};
            painter.surface.fill(drawn, part.colour);
            if (part.spared > 0)
                painter.surface.fill({{std::max(from, end - (x_of(part.spared) - left)), drawn.min.y}, drawn.max},
                                     theme.border);
            painter.mark(name_of(bar, part.series), drawn, {part.value, part.colour, words});
        } else {
            painter.mark(name_of(bar, part.series), whole, {.label = words});
        }
        const Colour ink = part.value ? theme.ink : theme.ink_faint;
        if (!printed || words.empty())
            return end;
        if (layer.stacked) // within it, where it has room
            painter.text_in(theme.mono, {{from, whole.min.y}, {end, whole.max.y}}, ink_on(part.colour), words);
        else if (layer.on_ground)
            painter.text_right(theme.mono_bold, {box.max.x, middle}, ink, words);
        else
            painter.text(theme.mono, {end + painter.px(5), middle}, ink, words);
        return end;
    }

    void paint_limit(const LimitLine& limit, const Box& row)
    {
        const Theme& theme = painter.theme;
        const float at = x_of(limit.value), half = painter.px(1);
        const Box drawn{{at - half, row.min.y - half}, {at + half, row.max.y - half}};
        painter.surface.fill(drawn, limit.colour != 0 ? limit.colour : theme.ink);
        painter.mark(limit.name, {{left, row.min.y}, {at, row.max.y}}, {limit.value, limit.colour, limit.words});
        if (!limit.words.empty())
            painter.label({.words = limit.words,
                           .at = {at, (row.min.y + row.max.y) / 2},
                           .distance = 6,
                           .colour = theme.ink,
                           .side = at > (left + right) / 2 ? Label::Side::left : Label::Side::right,
                           .plate = true});
    }

    Painter& painter;
    const BarLayer& layer;
    Box box;
    std::size_t parts = 1, shown = 0; // bars below each other in a row; rows that have room
    float line = 0, least = 0, left = 0, right = 0;
    double most = 0;
};

} // namespace

void paint(Painter& painter, const BarLayer& layer, const Box& box)
{
    BarPainter(painter, layer, box).paint();
}

} // namespace viz
