#include "viz/views/05_hierarchy/launch_canvas.h"

#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

using recording::warp_size;

namespace {

constexpr double least_block = 6;   // pixels; smaller blocks are drawn as one surface
constexpr double least_warps = 1.5; // pixels of a thread, for warps to be told apart

class LaunchPainter {
public:
    LaunchPainter(ImDrawList* canvas, const LaunchPicture& what)
        : list(canvas), picture(what), side(what.side), camera(side.camera), plan(side.plan), theme(what.theme)
    {
        const ImVec2 text = draw::measure(theme.mono, fmt::format("{}", plan.launch.threads_per_block() - 1));
        numbered = camera.cell() >= text.x + theme.px(4) && camera.cell_height() >= text.y + theme.px(4);
    }

    void draw(const draw::Box& box);

private:
    void draw_surface(const draw::Box& box) const;
    void draw_block(uint64_t block) const;
    void draw_idle(uint64_t block, ImVec2 corner) const;
    void draw_lines(ImVec2 corner) const;
    void draw_threads(uint64_t block, ImVec2 corner, const draw::Box& box) const;
    void draw_cell(ThreadRef thread, const draw::Box& cell, bool idle) const;
    void draw_name(uint64_t block, const draw::Box& box) const;
    void draw_selection() const;
    draw::Box box_of(ImVec2 corner, const CellRect& rect) const;
    const IdleSet* idle_in(uint64_t block) const { return side.idle ? side.idle->of(block) : nullptr; }
    void outline(const PanZoom::Rect& rect, float thick) const;

    ImDrawList* list;
    const LaunchPicture& picture;
    const LaunchSide& side;
    const PanZoom& camera;
    const Plan& plan;
    const Theme& theme;
    bool numbered = false;
};

draw::Box LaunchPainter::box_of(ImVec2 corner, const CellRect& rect) const
{
    const auto cell = static_cast<float>(camera.cell()), height = static_cast<float>(camera.cell_height());
    const ImVec2 min{corner.x + cell * static_cast<float>(rect.col), corner.y + height * static_cast<float>(rect.row)};
    return {min, {min.x + cell * static_cast<float>(rect.cols), min.y + height * static_cast<float>(rect.rows)}};
}

PanZoom::Rect rect_of_cells(const Plan& plan, uint64_t block, const CellRect& cells)
{
    const PlanPoint corner = corner_of(plan, block);
    return {corner.x + cells.col, corner.y + cells.row, static_cast<double>(cells.cols),
            static_cast<double>(cells.rows)};
}

// Blocks too small to be told apart: the whole grid, with its empty place at the end of a wrapped last row.
void LaunchPainter::draw_surface(const draw::Box& box) const
{
    const PlanPoint size = size_of(plan);
    const ImVec2 low = camera.to_screen(0, 0), high = camera.to_screen(size.x, size.y);
    list->AddRectFilled(low, {std::max(high.x, low.x + 1), std::max(high.y, low.y + 1)},
                        mix(theme.panel, theme.ink, 0.2f));
    const draw::Box seen{{std::max(low.x, box.min.x), std::max(low.y, box.min.y)},
                         {std::min(high.x, box.max.x), std::min(high.y, box.max.y)}};
    draw::text_in(list, theme.text, seen, theme.ink, plain(Message{"hierarchy.too_small"}));
}

void LaunchPainter::draw_idle(uint64_t block, ImVec2 corner) const
{
    const IdleSet* const set = idle_in(block);
    if (!set)
        return;
    std::vector<Cell> cells;
    for (uint32_t thread = 0; thread < set->idle.size(); ++thread)
        if (set->idle[thread])
            cells.push_back(cell_of_thread(plan, thread));
    for (const CellRect& rect : cover(std::move(cells))) {
        const draw::Box box = box_of(corner, rect);
        list->AddRectFilled(box.min, box.max, theme.background);
        list->AddRectFilled(box.min, box.max, draw::with_alpha(theme.warning, 0.25f));
    }
}

void LaunchPainter::draw_lines(ImVec2 corner) const
{
    const auto cell = static_cast<float>(camera.cell()), height = static_cast<float>(camera.cell_height());
    const Colour colour = draw::with_alpha(theme.background, cell > 12 ? 0.6f : 0.35f);
    const float right = corner.x + cell * static_cast<float>(plan.cols);
    const float bottom = corner.y + height * static_cast<float>(plan.rows);
    for (uint32_t col = 1; col < plan.cols; ++col) {
        const float x = std::round(corner.x + cell * static_cast<float>(col));
        list->AddRectFilled({x, corner.y}, {x + 1, bottom}, colour);
    }
    for (uint32_t row = 1; row < plan.rows; ++row) {
        const float y = std::round(corner.y + height * static_cast<float>(row));
        list->AddRectFilled({corner.x, y}, {right, y + 1}, colour);
    }
}

void LaunchPainter::draw_cell(ThreadRef ref, const draw::Box& cell, bool idle) const
{
    const recording::Launch& launch = plan.launch;
    const uint32_t thread = ref.thread, warp = thread / warp_size, lane = thread % warp_size;
    const Colour ink = idle ? theme.ink : ink_on(warp_colour(theme, warp));
    const float line = draw::measure(theme.mono, "0").y;
    const float room = cell.width() - theme.px(6);
    const std::string number = fmt::format("{}", thread);
    const std::string index = index_text(index_of(thread, launch.block), launch.block);
    const auto fit = [&](const std::vector<std::string>& lines) {
        return cell.height() >= line * static_cast<float>(lines.size()) + theme.px(4) &&
               std::ranges::all_of(lines, [&](const auto& one) { return draw::measure(theme.mono, one).x <= room; });
    };
    std::vector<std::string> lines{index, number, fmt::format("w{} l{}", warp, lane)};
    if (!fit(lines))
        lines = {number};
    else if (cell.height() >= 5 * line + theme.px(4))
        if (std::vector<std::string> full{"thread " + index, "number " + number, fmt::format("warp {}", warp),
                                          fmt::format("lane {}", lane), idle ? "surplus" : side.element(ref)};
            fit(full))
            lines = std::move(full);
    draw::lines_in(list, theme.mono, cell, ink, lines);
}

void LaunchPainter::draw_threads(uint64_t block, ImVec2 corner, const draw::Box& box) const
{
    const IdleSet* const set = idle_in(block);
    const double cell = camera.cell(), height = camera.cell_height();
    const auto within = [](double cells, uint32_t end) {
        return static_cast<uint32_t>(std::clamp(cells, 0.0, static_cast<double>(end)));
    };
    const uint32_t last_row = std::min(plan.rows, within((box.max.y - corner.y) / height, plan.rows) + 1);
    const uint32_t last_col = std::min(plan.cols, within((box.max.x - corner.x) / cell, plan.cols) + 1);
    for (uint32_t row = within((box.min.y - corner.y) / height, plan.rows); row < last_row; ++row)
        for (uint32_t col = within((box.min.x - corner.x) / cell, plan.cols); col < last_col; ++col)
            if (const auto thread = thread_at(plan, {row, col}))
                draw_cell({block, *thread}, box_of(corner, {row, col, 1, 1}), set && set->idle[*thread]);
}

// In the block while its threads are not numbered, above it when they are.
void LaunchPainter::draw_name(uint64_t block, const draw::Box& box) const
{
    const recording::Index3& grid = plan.launch.grid;
    const std::string name = index_text(index_of(block, grid), grid);
    const std::string whole = fmt::format("block {} = {}", name, block);
    if (numbered) {
        const ImVec2 size = draw::measure(theme.mono_bold, whole);
        draw::text(list, theme.mono_bold, {box.min.x, box.min.y - size.y - theme.px(2)}, theme.ink,
                   size.x <= box.width() + static_cast<float>(camera.cell()) * static_cast<float>(plan.gap) ? whole
                                                                                                            : name);
        return;
    }
    const std::string names[] = {whole, name};
    draw::plate_in(list, theme, box, names);
}

void LaunchPainter::draw_block(uint64_t block) const
{
    const auto [low, high] = camera.to_screen(rect_of_block(plan, block));
    const double cell = std::min(camera.cell(), camera.cell_height());
    // From one surface to the warps' colours over a range of sizes, so that nothing jumps.
    const auto share = static_cast<float>(std::clamp((cell - least_warps / 2) / (least_warps / 2), 0.0, 1.0));
    if (share < 1) {
        list->AddRectFilled(low, high, mix(theme.panel, theme.ink, 0.2f));
        if (const IdleSet* const set = idle_in(block))
            list->AddRectFilled(
                low, high,
                draw::with_alpha(theme.warning, 0.35f * static_cast<float>(set->count) /
                                                    static_cast<float>(plan.launch.threads_per_block())));
    }
    for (std::size_t warp = 0; share > 0 && warp < side.warps.size(); ++warp) {
        const Colour colour = draw::with_alpha(warp_colour(theme, static_cast<uint32_t>(warp)), share);
        for (const CellRect& rect : side.warps[warp]) {
            const draw::Box box = box_of(low, rect);
            list->AddRectFilled(box.min, box.max, colour);
        }
    }
    if (share == 1)
        draw_idle(block, low);
    if (cell >= 7)
        draw_lines(low);
}

void LaunchPainter::outline(const PanZoom::Rect& rect, float thick) const
{
    draw::outline(list, theme, camera.to_screen(rect), theme.ink, theme.px(thick));
}

void LaunchPainter::draw_selection() const
{
    outline(rect_of_block(plan, side.selected.block), 1.5f);
    if (camera.cell() < 2)
        return;
    const std::size_t warp = side.selected.thread / warp_size;
    if (warp < side.warps.size())
        for (const CellRect& rect : side.warps[warp])
            outline(rect_of_cells(plan, side.selected.block, rect), 1.5f);
    const PanZoom::Rect thread = rect_of_thread(plan, side.selected);
    outline(thread, 2);
    mark(picture.marks, "thread", camera.to_screen(thread));
}

void LaunchPainter::draw(const draw::Box& box)
{
    const double width = plan.cols + plan.gap, height = plan.rows + plan.gap;
    if (std::min(width * camera.cell(), height * camera.cell_height()) < least_block) {
        draw_surface(box);
        return;
    }
    const PanZoom::Rect seen = camera.seen();
    const auto first_row = static_cast<int64_t>(std::max(0.0, std::floor(seen.y / height)));
    const auto first_col = static_cast<int64_t>(std::max(0.0, std::floor(seen.x / width)));
    const auto last_row = std::min<int64_t>(plan.grid_rows, static_cast<int64_t>((seen.y + seen.height) / height) + 1);
    const auto last_col = std::min<int64_t>(plan.grid_cols, static_cast<int64_t>((seen.x + seen.width) / width) + 1);
    std::vector<uint64_t> blocks;
    for (int64_t row = first_row; row < last_row; ++row)
        for (int64_t col = first_col; col < last_col; ++col)
            if (const auto block = block_at(plan, row, col))
                blocks.push_back(*block);
    for (const uint64_t block : blocks)
        draw_block(block);
    draw_selection();
    for (const uint64_t block : blocks) {
        const draw::Box place = camera.to_screen(rect_of_block(plan, block));
        if (numbered)
            draw_threads(block, place.min, box);
        if (block == side.selected.block && picture.inside)
            picture.inside(camera.to_screen(rect_of_thread(plan, side.selected)));
        draw_name(block, place);
    }
}

} // namespace

float name_height(const Theme& theme)
{
    return std::ceil(draw::measure(theme.mono_bold, "0").y + theme.px(3));
}

void draw_launch(ImDrawList* list, const draw::Box& box, const LaunchPicture& picture)
{
    list->PushClipRect({box.min.x - 2, box.min.y - name_height(picture.theme)}, box.max, true);
    LaunchPainter(list, picture).draw(box);
    list->PopClipRect();
}

PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block)
{
    return rect_of_cells(plan, block, {0, 0, plan.rows, plan.cols});
}

PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef ref)
{
    const uint32_t first = ref.thread / warp_size * warp_size;
    std::vector<Cell> cells;
    for (uint32_t thread = first; thread < std::min(first + warp_size, plan.launch.threads_per_block()); ++thread)
        cells.push_back(cell_of_thread(plan, thread));
    return rect_of_cells(plan, ref.block, bounds(cells).value_or(CellRect{}));
}

PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef ref)
{
    const Cell cell = cell_of_thread(plan, ref.thread);
    return rect_of_cells(plan, ref.block, {cell.row, cell.col, 1, 1});
}

} // namespace viz
