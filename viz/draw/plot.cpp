#include "viz/draw/plot.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr int most_ticks = 8;
constexpr float reach = 14; // pixels at scale 1: a point farther from the mouse is not meant

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

draw::Box area_of(const Axis& right, const Axis& up, const draw::Box& box, const Theme& theme)
{
    const float line = draw::measure(theme.mono, "0").y;
    float labels = 0;
    for (const double value : ticks_of(up, most_ticks))
        labels = std::max(labels, draw::measure(theme.mono, tick_text(up, value)).x);
    const float below = right.title.empty() ? line + theme.px(6) : 2 * line + theme.px(10);
    draw::Box area{{box.min.x + labels + theme.px(7), box.min.y + line + theme.px(8)},
                   {box.max.x - theme.px(8), box.max.y - below}};
    area.max.x = std::max(area.max.x, area.min.x + 1);
    area.max.y = std::max(area.max.y, area.min.y + 1);
    return area;
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

void draw_ticks(ImDrawList* list, const Theme& theme, const Scale& scale, const TicksBelow& place)
{
    float free_from = place.left;
    for (const double value : ticks_of(scale.axis(), most_ticks)) {
        const float at = std::round(scale.at(value));
        list->AddRectFilled({at, place.top}, {at + 1, place.bottom}, theme.border);
        const std::string words = tick_text(scale.axis(), value);
        const float width = draw::measure(theme.mono, words).x;
        const float left = std::min(at - width / 2, place.right - width);
        if (left < free_from)
            continue;
        draw::text(list, theme.mono, {left, place.bottom + theme.px(4)}, theme.ink_quiet, words);
        free_from = left + width + theme.px(8);
    }
}

Plot::Plot(const Axis& right, const Axis& up, const draw::Box& box, const Theme& theme)
    : theme_(theme), place_(box), area_(area_of(right, up, box, theme)), right_(right, area_.min.x, area_.max.x),
      up_(up, area_.max.y, area_.min.y)
{
}

void Plot::draw_axes(ImDrawList* list) const
{
    list->AddRectFilled(area_.min, area_.max, theme_.panel);
    float free_until = place_.max.y;
    for (const double value : ticks_of(up_.axis(), most_ticks)) {
        const std::string words = tick_text(up_.axis(), value);
        const ImVec2 size = draw::measure(theme_.mono, words);
        const float at = std::round(up_.at(value));
        list->AddRectFilled({area_.min.x, at}, {area_.max.x, at + 1}, theme_.border);
        if (at + size.y / 2 > free_until)
            continue;
        draw::text(list, theme_.mono, {area_.min.x - size.x - theme_.px(5), at - size.y / 2}, theme_.ink_quiet, words);
        free_until = at - size.y / 2;
    }
    draw_ticks(list, theme_, right_, {area_.min.y, area_.max.y, place_.min.x, place_.max.x});
    draw::text(list, theme_.text, place_.min, theme_.ink_quiet, up_.axis().title);
    const ImVec2 title = draw::measure(theme_.text, right_.axis().title);
    draw::text(list, theme_.text, {std::max(place_.min.x, area_.max.x - title.x), place_.max.y - title.y},
               theme_.ink_quiet, right_.axis().title);
}

void Plot::draw(ImDrawList* list, const Curve& curve) const
{
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const ImVec2 here = at(curve.points[i]);
        if (i > 0 && curve.line > 0)
            list->AddLine(at(curve.points[i - 1]), here, curve.colour, theme_.px(curve.line));
        if (curve.radius > 0)
            list->AddCircleFilled(here, theme_.px(curve.radius), curve.colour);
    }
}

bool Plot::item(const char* name, Marks* marks) const
{
    ImGui::SetCursorScreenPos(area_.min);
    ImGui::InvisibleButton(name, {area_.width(), area_.height()});
    mark_item(marks, std::string("chart:") + name);
    return ImGui::IsItemHovered();
}

std::optional<PointOnCurve> Plot::nearest(std::span<const Curve> curves, ImVec2 place) const
{
    std::optional<PointOnCurve> result;
    float best = theme_.px(reach);
    for (std::size_t curve = 0; curve < curves.size(); ++curve)
        for (std::size_t point = 0; point < curves[curve].points.size(); ++point) {
            const ImVec2 here = at(curves[curve].points[point]);
            const float distance = std::hypot(here.x - place.x, here.y - place.y);
            if (distance < best) {
                best = distance;
                result = PointOnCurve{curve, point};
            }
        }
    return result;
}

} // namespace viz
