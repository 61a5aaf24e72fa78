#include "viz/figure/axis.h"

#include "viz/figure/painter.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr int most_ticks = 8;

std::vector<double> linear_ticks(const Axis& axis, int most)
{
    const double span = axis.most - axis.least;
    if (span <= 0)
        return {axis.least};
    double step = axis.step;
    if (step <= 0) {
        step = std::pow(10, std::floor(std::log10(span / most)));
        for (const double factor : {2.0, 2.5, 2.0, 2.0})
            if (span / step > most)
                step *= factor;
    }
    std::vector<double> ticks;
    for (double value = std::ceil(axis.least / step) * step; value <= axis.most * 1.0001; value += step)
        ticks.push_back(value);
    return ticks;
}

} // namespace

std::vector<double> ticks_of(const Axis& axis, int most)
{
    if (!axis.names.empty()) {
        std::vector<double> values;
        for (const auto& [value, name] : axis.names)
            values.push_back(value);
        return values;
    }
    if (!axis.logarithmic)
        return linear_ticks(axis, most);
    const double log_base = std::log(axis.base);
    const int first = static_cast<int>(std::ceil(std::log(axis.least) / log_base - 1e-9));
    const int last = static_cast<int>(std::floor(std::log(axis.most) / log_base + 1e-9));
    const int every = std::max(1, (last - first) / std::max(1, most) + 1);
    std::vector<double> ticks;
    for (int power = first; power <= last; ++power)
        if ((power % every + every) % every == 0)
            ticks.push_back(std::pow(axis.base, power));
    return ticks;
}

std::string tick_text(const Axis& axis, double value)
{
    if (const auto named = std::ranges::find(axis.names, value, &std::pair<double, std::string>::first);
        named != axis.names.end())
        return named->second;
    const auto is_whole = [](double number) { return std::abs(number - std::round(number)) < 1e-6; };
    if (axis.logarithmic && axis.base == 10 && value < 2e-3)
        return fmt::format("{:.0e}{}", value, axis.unit);
    if (is_whole(value))
        return thousands(static_cast<uint64_t>(std::llround(value))) + axis.unit;
    if (axis.logarithmic && value < 1 && is_whole(1 / value))
        return fmt::format("1/{:.0f}{}", 1 / value, axis.unit);
    return fmt::format("{:.4g}{}", value, axis.unit);
}

float Scale::at(double value) const
{
    const double share = axis_.logarithmic ? std::log(value / axis_.least) / std::log(axis_.most / axis_.least)
                                           : (value - axis_.least) / std::max(axis_.most - axis_.least, 1e-9);
    return from_ + (until_ - from_) * static_cast<float>(share);
}

double Scale::value_at(float pixel) const
{
    const double share = until_ == from_ ? 0 : std::clamp((pixel - from_) / (until_ - from_), 0.0f, 1.0f);
    return axis_.logarithmic ? axis_.least * std::pow(axis_.most / axis_.least, share)
                             : axis_.least + (axis_.most - axis_.least) * share;
}

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
