#include "viz/figure/painter.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr int most_ticks = 8;

} // namespace

Box chart_area(const Painter& painter, const Axis& right, const Axis& up, const Box& box)
{
    const Theme& theme = painter.theme;
    const float line = draw::line_height(theme.mono);
    float labels = 0;
    for (const double value : ticks_of(up, most_ticks))
        labels = std::max(labels, draw::measure(theme.mono, tick_text(up, value)).x);
    const float above = up.title.empty() ? line / 2 : line + painter.px(8);
    const float below = right.title.empty() ? line + painter.px(6) : 2 * line + painter.px(10);
    Box area{{box.min.x + labels + painter.px(7), box.min.y + above}, {box.max.x - painter.px(8), box.max.y - below}};
    area.max.x = std::max(area.max.x, area.min.x + 1);
    area.max.y = std::max(area.max.y, area.min.y + 1);
    return area;
}

void paint_ticks_below(Painter& painter, const Scale& scale, const Box& area, const Box& within)
{
    const Theme& theme = painter.theme;
    float free_from = within.min.x;
    for (const double value : ticks_of(scale.axis(), most_ticks)) {
        const float at = std::round(scale.at(value));
        painter.surface.fill({{at, area.min.y}, {at + 1, area.max.y}}, theme.border);
        const std::string words = tick_text(scale.axis(), value);
        const float width = draw::measure(theme.mono, words).x;
        const float left = std::min(at - width / 2, within.max.x - width);
        if (left < free_from)
            continue;
        painter.text(theme.mono, {left, area.max.y + painter.px(4)}, theme.ink_quiet, words);
        free_from = left + width + painter.px(8);
    }
}

void paint_axes(Painter& painter, const Scale& right, const Scale& up, const Box& box, const Box& area)
{
    const Theme& theme = painter.theme;
    painter.surface.fill(area, theme.panel);
    float free_until = box.max.y;
    for (const double value : ticks_of(up.axis(), most_ticks)) {
        const std::string words = tick_text(up.axis(), value);
        const ImVec2 size = draw::measure(theme.mono, words);
        const float at = std::round(up.at(value));
        painter.surface.fill({{area.min.x, at}, {area.max.x, at + 1}}, theme.border);
        if (at + size.y / 2 > free_until)
            continue;
        painter.text(theme.mono, {area.min.x - size.x - painter.px(5), at - size.y / 2}, theme.ink_quiet, words);
        free_until = at - size.y / 2;
    }
    paint_ticks_below(painter, right, area, box);
    const auto title = [&](const std::string& words, ImVec2 place, bool to_the_right) {
        const std::string shown = painter.shortened(theme.text, words, box.width());
        const float width = draw::measure(theme.text, shown).x;
        painter.text(theme.text, {to_the_right ? std::max(box.min.x, area.max.x - width) : place.x, place.y},
                     theme.ink_quiet, shown, shown != words);
    };
    title(up.axis().title, box.min, false);
    title(right.axis().title, {0, box.max.y - draw::line_height(theme.text)}, true);
}

} // namespace viz
