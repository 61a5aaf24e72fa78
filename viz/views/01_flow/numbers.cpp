#include "viz/views/01_flow/numbers.h"

#include "viz/analysis/values.h"
#include "viz/text/figures.h"
#include "viz/views/01_flow/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

namespace {

// Rows or columns of equal cells that lie at least in part between `low` and `high`.
std::pair<uint32_t, uint32_t> in_sight(float start, float pitch, uint32_t count, float low, float high)
{
    const auto at = [&](float place) {
        return static_cast<uint32_t>(std::clamp((place - start) / pitch, 0.0f, static_cast<float>(count)));
    };
    return {at(low), std::min(count, at(high) + 1)};
}

// The element's name above its value where both fit, else the value.
void paint_number(const FlowPaint& paint, const draw::Box& box, Colour ink, const std::string& name,
                  const std::string& value)
{
    ImFont* font = paint.theme.mono;
    const float line = draw::measure(font, "0").y, middle = (box.min.y + box.max.y) / 2;
    const bool both = box.height() >= 2 * line + 2 && draw::measure(font, name).x + 2 <= box.width();
    if (both)
        draw::text_in(paint.list, font, {box.min, {box.max.x, middle}}, ink, name);
    draw::text_in(paint.list, font, {{box.min.x, both ? middle : box.min.y}, box.max}, ink, value);
}

void paint_words_of(const FlowPaint& paint, const RowBand& band, const draw::Box& sight)
{
    const recording::Array& array = paint.recording.arrays[band.array];
    const Elements& elements = paint.facts.tiling->elements()[band.array];
    const auto [first, end] =
        in_sight(paint.scene.row_top(band.top), paint.scene.row_height(), band.rows, sight.min.y, sight.max.y);
    for (uint32_t row = first; row < end; ++row)
        for (uint32_t word = 0; word < 32; ++word) {
            const auto box = paint.scene.words({band.top + row, word}, 1);
            const auto cell = elements.at((band.first + row) * row_bytes + word * 4);
            if (!box || !cell || box->max.x < sight.min.x || box->min.x > sight.max.x)
                continue;
            const auto source = source_of(paint.recording, paint.facts, band.array, *cell);
            const auto value = source ? value_of(paint.recording, source->first, source->second) : std::nullopt;
            if (value && source->first < 2)
                paint_number(paint, *box, paint.theme.ink, element_name(array.name, {*cell}), short_value(*value));
        }
}

void paint_operand_values(const FlowPaint& paint, std::size_t array, const draw::Box& sight)
{
    const MatrixFrame& frame = paint.scene.operands()[array];
    const auto [first_row, end_row] =
        in_sight(frame.corner.y, frame.cell_height(), frame.shape.rows, sight.min.y, sight.max.y);
    const auto [first_col, end_col] = in_sight(frame.corner.x, frame.cell, frame.shape.cols, sight.min.x, sight.max.x);
    for (uint32_t row = first_row; row < end_row; ++row)
        for (uint32_t col = first_col; col < end_col; ++col)
            if (const auto value = value_of(paint.recording, array, {row, col}))
                paint_number(paint, frame.box_of({row, col, 1, 1}), paint.theme.ink,
                             element_name(paint.recording.arrays[array].name, {{row, col}}), short_value(*value));
}

} // namespace

std::string short_value(double value)
{
    return fmt::format("{:.2f}", value);
}

void paint_numbers(const FlowPaint& paint)
{
    const draw::Box sight{paint.list->GetClipRectMin(), paint.list->GetClipRectMax()};
    const ImVec2 least = draw::measure(paint.theme.mono, "-0.00");
    const float high = least.y - paint.theme.px(4);
    if (!paint.facts.lines_below && paint.scene.memory().width() / 32 > least.x && paint.scene.row_height() >= high)
        for (const RowBand& band : paint.facts.rows.bands())
            paint_words_of(paint, band, sight);
    for (std::size_t array = 0; array < 2; ++array) {
        const MatrixFrame& frame = paint.scene.operands()[array];
        if (!frame.shape.wrapped && frame.cell > least.x && frame.cell_height() >= high)
            paint_operand_values(paint, array, sight);
    }
}

} // namespace viz
