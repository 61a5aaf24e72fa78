#include "viz/views/01_flow/registers.h"

#include "viz/analysis/values.h"
#include "viz/text/figures.h"
#include "viz/views/01_flow/messages.h"
#include "viz/views/01_flow/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace viz {

namespace {

using draw::mix;

std::vector<uint32_t> different(const std::vector<Cell>& cells, uint32_t Cell::*member)
{
    std::set<uint32_t> values;
    for (const Cell& cell : cells)
        values.insert(cell.*member);
    return {values.begin(), values.end()};
}

// "As(3, 104..107)": what the lane itself moves at this step; empty where it moves nothing.
std::string moved_by_lane(const FlowPaint& paint)
{
    const recording::Access& access = paint.focus.access();
    if (!has_addresses(access) || access.width == 0 || !takes_part(access, paint.lane))
        return "";
    const recording::Array& array = paint.recording.arrays[access.array];
    return element_name(array.name, cells_of_lane(access, paint.facts.tiling->elements()[access.array],
                                                  array.element_bytes, paint.lane));
}

struct Grid {
    ImVec2 corner;
    float width = 1, height = 1; // of a cell

    draw::Box box(std::size_t row, std::size_t col) const
    {
        const float x = corner.x + width * static_cast<float>(col), y = corner.y + height * static_cast<float>(row);
        return {{x, y}, {x + width - 1, y + height - 1}};
    }
};

// The value, or where it does not fit the letter.
void paint_value(const FlowPaint& paint, const draw::Box& box, Colour colour, const std::string& value,
                 const std::string& letter)
{
    paint.list->AddRectFilled(box.min, box.max, colour);
    if (!draw::text_in(paint.list, paint.theme.mono, box, ink_on(colour), value))
        draw::text_in(paint.list, paint.theme.mono, box, ink_on(colour), letter);
}

// The sums of the lane as a grid of rows and columns of C; at its left and above it the operands of this k.
void paint_product(const FlowPaint& paint, draw::Box box)
{
    const Theme& theme = paint.theme;
    const std::vector<uint32_t> rows = different(paint.facts.results, &Cell::row);
    const std::vector<uint32_t> cols = different(paint.facts.results, &Cell::col);
    if (rows.empty() || rows.size() > 64 || cols.size() > 64)
        return;
    const float heading = draw::measure(theme.mono, "0").y + theme.px(4);
    const float gap = theme.px(6), zoom = paint.scene.zoom();
    Grid grid;
    // Wide enough for a value where there is room, else square.
    grid.height = std::floor(
        std::min((box.height() - 2 * heading - gap) / static_cast<float>(rows.size() + 1), theme.px(26) * zoom));
    grid.width = std::floor(std::min((box.width() - gap) / static_cast<float>(cols.size() + 1), theme.px(48) * zoom));
    if (grid.width < draw::measure(theme.mono, "-0.00").x)
        grid.width = grid.height = std::min(grid.width, grid.height);
    if (grid.height < 3 || grid.width < 3)
        return;
    grid.corner = {box.min.x + grid.width + gap, box.min.y + heading + grid.height + gap};
    const auto& fragments = paint.facts.fragments;
    const std::vector<Cell> a = fragments ? fragments->lanes[paint.lane].a : std::vector<Cell>();
    const std::vector<Cell> b = fragments ? fragments->lanes[paint.lane].b : std::vector<Cell>();
    const bool multiplies = paint.facts.phase().kind == PhaseKind::compute && !a.empty() && !b.empty();
    const Colour idle = mix(theme.panel, theme.ink, 0.12f);
    const auto has = [](const std::vector<Cell>& cells, uint32_t Cell::*member, uint32_t value) {
        return std::ranges::any_of(cells, [&](const Cell& cell) { return cell.*member == value; });
    };
    const auto operand = [&](const draw::Box& cell, const std::vector<Cell>& held, const auto& is, std::size_t array) {
        const auto found = multiplies ? std::ranges::find_if(held, is) : held.end();
        const auto value = found == held.end() ? std::nullopt : value_of(paint.recording, array, *found);
        const std::string letter = array == 0 ? "a" : "b";
        paint_value(paint, cell, found == held.end() ? idle : theme.lane_group[array == 0 ? 0 : 2],
                    value && found != held.end() ? short_value(*value) : letter, letter);
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const draw::Box first = grid.box(i, 0);
        operand(
            {{first.min.x - gap - grid.width, first.min.y}, {first.min.x - gap - 1, first.max.y}}, a,
            [&](const Cell& cell) { return cell.row == rows[i]; }, 0);
    }
    for (std::size_t j = 0; j < cols.size(); ++j) {
        const draw::Box first = grid.box(0, j);
        operand(
            {{first.min.x, first.min.y - gap - grid.height}, {first.max.x, first.min.y - gap - 1}}, b,
            [&](const Cell& cell) { return cell.col == cols[j]; }, 1);
    }
    const bool printed = grid.width >= draw::measure(theme.mono, "-0.00").x;
    const std::set<Cell> owned(paint.facts.results.begin(), paint.facts.results.end());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < cols.size(); ++j)
            if (owned.contains({rows[i], cols[j]})) {
                const bool now = multiplies && has(a, &Cell::row, rows[i]) && has(b, &Cell::col, cols[j]);
                const draw::Box cell = grid.box(i, j);
                const Colour face = now ? mix(theme.panel, paint.accent, 0.75f) : idle;
                const auto sum = printed ? sum_so_far(paint.recording, paint.facts, {rows[i], cols[j]}) : std::nullopt;
                paint_value(paint, cell, face, sum ? short_value(*sum) : "", "");
            }
    const std::string extent = fmt::format("{} x {}", rows.size(), cols.size());
    const auto range = [](const std::vector<uint32_t>& values) {
        const bool neighbours = values.back() - values.front() + 1 == values.size();
        return values.size() == 1 ? std::to_string(values.front())
               : neighbours       ? fmt::format("{}..{}", values.front(), values.back())
                                  : fmt::format("{}, {} ...", values[0], values[1]);
    };
    const std::string elements = fmt::format("C({}; {})", range(rows), range(cols));
    const std::string k = fragments ? fmt::format(", k = {}", fragments->k) : "";
    for (const std::string& label : {elements + k, extent + " sums" + k, extent + " of C", extent})
        if (grid.corner.x + draw::measure(theme.mono, label).x <= box.max.x)
            return draw::text(paint.list, theme.mono, {grid.corner.x, box.min.y}, theme.ink_quiet, label);
}

} // namespace

void paint_registers(const FlowPaint& paint)
{
    const Theme& theme = paint.theme;
    const draw::Box& box = paint.scene.registers();
    const float line = draw::measure(theme.text, "0").y + theme.px(3);
    draw::text(paint.list, theme.text, box.min, theme.ink, fmt::format("registers of lane {}", paint.lane));
    const std::string moved = moved_by_lane(paint);
    if (!moved.empty()) {
        const std::string arrow = is_store(paint.focus.access().op) ? "→ " : "← ";
        draw::text(paint.list, theme.mono_bold, {box.min.x, box.min.y + line}, paint.accent, arrow + moved);
    }
    paint_product(paint, {{box.min.x, box.min.y + 2 * line + theme.px(4)}, box.max});
}

} // namespace viz
