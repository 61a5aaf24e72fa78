#include "viz/draw/numbers.h"

#include "viz/analysis/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

bool whole(const recording::Recording& recording)
{
    return recording.inputs == recording::Inputs::small;
}

} // namespace

std::string short_value(const recording::Recording& recording, double value)
{
    const double least = whole(recording) ? 0.5 : 0.005;
    const double shown = std::abs(value) < least ? 0 : value; // avoids "-0.00"
    return whole(recording) ? fmt::format("{:.0f}", shown) : fmt::format("{:.2f}", shown);
}

std::string brief_value(const recording::Recording& recording, double value)
{
    const double tenths = std::round(value * 10) / 10;
    if (whole(recording) || tenths >= 10 || tenths <= -1)
        return fmt::format("{:.0f}", value);
    if (tenths >= 1)
        return fmt::format("{:.1f}", tenths);
    return tenths == 0 ? ".0" : fmt::format("{}.{:.0f}", tenths < 0 ? "-" : "", std::abs(tenths) * 10);
}

std::string_view widest_value(const recording::Recording& recording)
{
    return whole(recording) ? "000" : "-0.00";
}

Quantity exact_value(const recording::Recording& recording, double value)
{
    return with_decimals(value, whole(recording) ? 0 : 4);
}

namespace draw {

Colour operand_colour(const Theme& theme, std::size_t array)
{
    return mix(theme.panel, theme.ink, array == 0 ? 0.72f : 0.46f);
}

bool names_fit(const Theme& theme, const recording::Array& array, float width)
{
    const Cell last{std::max(1u, array.rows) - 1, std::max(1u, array.cols) - 1};
    return measure(theme.mono, element_name(array.name, {last})).x + 2 <= width;
}

void named_value(const Theme& theme, const Box& box, const NamedValue& what, const PutWords& put)
{
    const float line = measure(theme.mono, "0").y, big = measure(theme.heading, "0").y;
    const bool both = what.named && !what.value.empty() && box.height() >= 2 * line + 2 &&
                      measure(theme.mono, what.name).x + 2 <= box.width();
    const float above = both ? line : 0;
    const bool roomy = !what.value.empty() && box.height() >= above + big + theme.px(10) &&
                       measure(theme.heading, what.value).x + theme.px(8) <= box.width();
    ImFont* font = roomy ? theme.heading : both ? theme.mono_bold : theme.mono;
    const std::string& words = what.value.empty() ? what.name : what.value;
    const float high = above + (roomy ? big : line) + 2, top = (box.min.y + box.max.y - high) / 2;
    if (both)
        put(theme.mono, {{box.min.x, top}, {box.max.x, top + line}}, with_alpha(what.ink, 0.65f), what.name);
    put(font, both ? Box{{box.min.x, top + line}, {box.max.x, top + high}} : box, what.ink, words);
}

std::pair<uint32_t, uint32_t> in_sight(double start, double pitch, uint32_t count, double low, double high)
{
    const auto at = [&](double place) {
        return static_cast<uint32_t>(std::clamp((place - start) / pitch, 0.0, static_cast<double>(count)));
    };
    return {at(low), std::min(count, at(high) + 1)};
}

bool values_fit(const Theme& theme, std::string_view widest, const MatrixFrame& frame)
{
    const ImVec2 least = measure(theme.mono, widest);
    return frame.cell > least.x && frame.cell_height() >= least.y - theme.px(4);
}

void each_element(const MatrixFrame& frame, const Box& sight, const std::function<void(const Cell&, const Box&)>& visit)
{
    const auto [first_row, end_row] =
        in_sight(frame.corner.y, frame.cell_height(), frame.shape.rows, sight.min.y, sight.max.y);
    const auto [first_col, end_col] = in_sight(frame.corner.x, frame.cell, frame.shape.cols, sight.min.x, sight.max.x);
    for (uint32_t row = first_row; row < end_row; ++row)
        for (uint32_t col = first_col; col < end_col; ++col) {
            const Box box = frame.box_of({row, col, 1, 1});
            if (const auto cell = frame.element_under(box.middle()))
                visit(*cell, box);
        }
}

} // namespace draw

} // namespace viz
