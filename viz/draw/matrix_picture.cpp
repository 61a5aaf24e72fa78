#include "viz/draw/matrix_picture.h"

#include "viz/analysis/access.h"
#include "viz/analysis/values.h"

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

MapShape plain_shape(uint32_t rows, uint32_t cols)
{
    return {rows, cols, false, cols};
}

std::optional<Cell> MatrixFrame::element_under(ImVec2 point) const
{
    if (!box().holds(point) || cell <= 0)
        return {};
    return map_element(shape, {static_cast<uint32_t>((point.y - corner.y) / cell_height()),
                               static_cast<uint32_t>((point.x - corner.x) / cell)});
}

std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<Cell>& cells)
{
    std::vector<Cell> places;
    for (const Cell& cell : cells)
        places.push_back(map_place(frame.shape, cell));
    return cover(std::move(places));
}

std::vector<CellRect> placed(const MatrixFrame& frame, const std::vector<CellRect>& rects)
{
    if (!frame.shape.wrapped)
        return rects;
    std::vector<Cell> cells;
    for (const CellRect& rect : rects)
        for (uint32_t col = 0; col < rect.cols; ++col)
            cells.push_back({rect.row, rect.col + col});
    return placed(frame, cells);
}

std::string short_value(const recording::Recording& recording, double value)
{
    if (recording.inputs == recording::Inputs::unknown)
        return value_text(value);
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
    return whole(recording) ? "000" : recording.inputs == recording::Inputs::unknown ? "-0.0000" : "-0.00";
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
