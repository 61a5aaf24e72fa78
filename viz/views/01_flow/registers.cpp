// The registers of the selected lane: what is on its way to or from it, and the outer product of its operands.
#include "viz/views/01_flow/paint.h"

#include "viz/text/figures.h"

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
    float cell = 1;

    draw::Box box(std::size_t row, std::size_t col) const
    {
        const float x = corner.x + cell * static_cast<float>(col), y = corner.y + cell * static_cast<float>(row);
        return {{x, y}, {x + cell - 1, y + cell - 1}};
    }
};

void paint_value(const FlowPaint& paint, const draw::Box& box, Colour colour, const std::string& label)
{
    paint.list->AddRectFilled(box.min, box.max, colour);
    draw::text_in(paint.list, paint.theme.mono, box, ink_on(colour), label);
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
    const float side = theme.px(30), gap = theme.px(6);
    Grid grid;
    grid.cell =
        std::floor(std::min({(box.width() - side - gap) / static_cast<float>(cols.size() + 1),
                             (box.height() - 2 * heading - gap) / static_cast<float>(rows.size() + 1), theme.px(26)}));
    if (grid.cell < 3)
        return;
    grid.corner = {box.min.x + side + grid.cell + gap, box.min.y + heading + grid.cell + gap};
    const auto& fragments = paint.facts.fragments;
    const std::vector<Cell> a = fragments ? fragments->lanes[paint.lane].a : std::vector<Cell>();
    const std::vector<Cell> b = fragments ? fragments->lanes[paint.lane].b : std::vector<Cell>();
    const bool multiplies = paint.facts.phase().kind == PhaseKind::compute && !a.empty() && !b.empty();
    const Colour idle = mix(theme.panel, theme.ink, 0.12f);
    const auto has = [](const std::vector<Cell>& cells, uint32_t Cell::*member, uint32_t value) {
        return std::ranges::any_of(cells, [&](const Cell& cell) { return cell.*member == value; });
    };
    for (std::size_t i = 0; i < rows.size(); ++i)
        paint_value(
            paint,
            {{grid.corner.x - gap - grid.cell, grid.box(i, 0).min.y}, {grid.corner.x - gap - 1, grid.box(i, 0).max.y}},
            has(a, &Cell::row, rows[i]) ? theme.lane_group[0] : idle, "a");
    for (std::size_t j = 0; j < cols.size(); ++j)
        paint_value(
            paint,
            {{grid.box(0, j).min.x, grid.corner.y - gap - grid.cell}, {grid.box(0, j).max.x, grid.corner.y - gap - 1}},
            has(b, &Cell::col, cols[j]) ? theme.lane_group[2] : idle, "b");
    const std::set<Cell> owned(paint.facts.results.begin(), paint.facts.results.end());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < cols.size(); ++j)
            if (owned.contains({rows[i], cols[j]})) {
                const bool now = multiplies && has(a, &Cell::row, rows[i]) && has(b, &Cell::col, cols[j]);
                const draw::Box cell = grid.box(i, j);
                paint.list->AddRectFilled(cell.min, cell.max, now ? mix(theme.panel, paint.accent, 0.75f) : idle);
            }
    const std::string extent = fmt::format("{} x {}", rows.size(), cols.size());
    for (const std::string& label :
         {fragments ? fmt::format("{} sums, k = {}", extent, fragments->k) : extent + " of C", extent + " of C",
          extent})
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
