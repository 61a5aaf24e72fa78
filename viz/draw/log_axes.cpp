#include "viz/draw/log_axes.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

std::vector<double> round_ticks(const Axis& axis, int most)
{
    const double span = axis.most - axis.least;
    double step = std::pow(10, std::floor(std::log10(span / most)));
    for (const double factor : {2.0, 2.5, 2.0, 2.0})
        if (span / step > most)
            step *= factor;
    std::vector<double> ticks;
    for (double value = std::ceil(axis.least / step) * step; value <= axis.most * 1.0001; value += step)
        ticks.push_back(value);
    return ticks;
}

float label_width(const Theme& theme, const Axis& axis)
{
    float width = 0;
    for (const double value : ticks_of(axis, 8))
        width = std::max(width, draw::measure(theme.mono, tick_text(value)).x);
    return width;
}

} // namespace

std::vector<double> ticks_of(const Axis& axis, int most)
{
    if (!axis.logarithmic)
        return round_ticks(axis, most);
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

std::string tick_text(double value)
{
    if (value > 0 && value < 1) {
        const double inverse = 1 / value;
        return std::abs(inverse - std::round(inverse)) < 1e-6 ? fmt::format("1/{:.0f}", inverse)
                                                              : fmt::format("{:.2g}", value);
    }
    return thousands(static_cast<uint64_t>(std::llround(value)));
}

Plot::Plot(const Axis& right, const Axis& up, const draw::Box& box, const Theme& theme)
    : right_(right), up_(up), theme_(theme), place_(box)
{
    const float line = draw::measure(theme.mono, "0").y;
    area_ = {{box.min.x + label_width(theme, up) + theme.px(7), box.min.y + line + theme.px(8)},
             {box.max.x - theme.px(8), box.max.y - 2 * line - theme.px(10)}};
    area_.max.x = std::max(area_.max.x, area_.min.x + 1);
    area_.max.y = std::max(area_.max.y, area_.min.y + 1);
}

double Plot::share(const Axis& axis, double value)
{
    if (!axis.logarithmic)
        return (value - axis.least) / (axis.most - axis.least);
    return std::log(value / axis.least) / std::log(axis.most / axis.least);
}

float Plot::x(double value) const
{
    return area_.min.x + area_.width() * static_cast<float>(share(right_, value));
}

float Plot::y(double value) const
{
    return area_.max.y - area_.height() * static_cast<float>(share(up_, value));
}

void Plot::draw_ticks(ImDrawList* list, bool upwards) const
{
    const Axis& axis = upwards ? up_ : right_;
    float free_from = upwards ? place_.max.y : place_.min.x;
    for (const double value : ticks_of(axis, 8)) {
        const std::string words = tick_text(value);
        const ImVec2 size = draw::measure(theme_.mono, words);
        if (upwards) {
            const float at = std::round(y(value));
            list->AddRectFilled({area_.min.x, at}, {area_.max.x, at + 1}, theme_.border);
            if (at + size.y / 2 > free_from)
                continue;
            draw::text(list, theme_.mono, {area_.min.x - size.x - theme_.px(5), at - size.y / 2}, theme_.ink_quiet,
                       words);
            free_from = at - size.y / 2;
        } else {
            const float at = std::round(x(value));
            list->AddRectFilled({at, area_.min.y}, {at + 1, area_.max.y}, theme_.border);
            const float left = std::min(at - size.x / 2, place_.max.x - size.x);
            if (left < free_from)
                continue;
            draw::text(list, theme_.mono, {left, area_.max.y + theme_.px(4)}, theme_.ink_quiet, words);
            free_from = left + size.x + theme_.px(8);
        }
    }
}

void Plot::draw_axes(ImDrawList* list) const
{
    list->AddRectFilled(area_.min, area_.max, theme_.panel);
    draw_ticks(list, true);
    draw_ticks(list, false);
    draw::text(list, theme_.text, place_.min, theme_.ink_quiet, up_.title);
    const ImVec2 title = draw::measure(theme_.text, right_.title);
    draw::text(list, theme_.text, {std::max(place_.min.x, area_.max.x - title.x), place_.max.y - title.y},
               theme_.ink_quiet, right_.title);
}

} // namespace viz
