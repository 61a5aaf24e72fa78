#include "viz/views/05_hierarchy/launch_canvas.h"

#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

using recording::warp_size;

namespace {

constexpr double least_block = 6;   // pixels; smaller blocks are drawn as one surface
constexpr double least_warps = 1.5; // pixels of a thread, for warps to be told apart

class LaunchPainter {
public:
    LaunchPainter(ImDrawList* canvas, const PanZoom& view, const LaunchPicture& what)
        : list(canvas), camera(view), picture(what), plan(what.plan), theme(what.theme)
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
    void outline(const PanZoom::Rect& rect, Colour colour, float thick) const;

    ImDrawList* list;
    const PanZoom& camera;
    const LaunchPicture& picture;
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
    const IdleSet* set = picture.idle ? picture.idle->of(block) : nullptr;
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
    std::vector<std::string> lines{number};
    if (cell.height() >= 3 * line + theme.px(4)) {
        const std::string index = index_text(index_of(thread, launch.block), launch.block);
        lines = {index, number, fmt::format("w{} l{}", warp, lane)};
        if (cell.height() >= 5 * line + theme.px(4)) {
            const std::vector<std::string> full{"thread " + index, "number " + number, fmt::format("warp {}", warp),
                                                fmt::format("lane {}", lane), idle ? "surplus" : picture.element(ref)};
            if (std::all_of(full.begin(), full.end(),
                            [&](const std::string& words) { return draw::measure(theme.mono, words).x <= room; }))
                lines = full;
        }
        if (std::any_of(lines.begin(), lines.end(),
                        [&](const std::string& words) { return draw::measure(theme.mono, words).x > room; }))
            lines = {number};
    }
    float y = (cell.min.y + cell.max.y - line * static_cast<float>(lines.size())) / 2;
    for (const std::string& words : lines) {
        draw::text(list, theme.mono, {(cell.min.x + cell.max.x - draw::measure(theme.mono, words).x) / 2, y}, ink,
                   words);
        y += line;
    }
}

void LaunchPainter::draw_threads(uint64_t block, ImVec2 corner, const draw::Box& box) const
{
    const IdleSet* set = picture.idle ? picture.idle->of(block) : nullptr;
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
    const recording::Index3 index{static_cast<uint32_t>(block % grid.x), static_cast<uint32_t>(block / grid.x % grid.y),
                                  static_cast<uint32_t>(block / grid.x / grid.y)};
    const std::string name = index_text(index, grid);
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
    const PlanPoint place = corner_of(plan, block);
    const ImVec2 low = camera.to_screen(place.x, place.y);
    const ImVec2 high = camera.to_screen(place.x + plan.cols, place.y + plan.rows);
    const double cell = std::min(camera.cell(), camera.cell_height());
    // From one surface to the warps' colours over a range of sizes, so that nothing jumps.
    const auto share = static_cast<float>(std::clamp((cell - least_warps / 2) / (least_warps / 2), 0.0, 1.0));
    if (share < 1) {
        list->AddRectFilled(low, high, mix(theme.panel, theme.ink, 0.2f));
        if (const IdleSet* set = picture.idle ? picture.idle->of(block) : nullptr)
            list->AddRectFilled(
                low, high,
                draw::with_alpha(theme.warning, 0.35f * static_cast<float>(set->count) /
                                                    static_cast<float>(plan.launch.threads_per_block())));
    }
    for (std::size_t warp = 0; share > 0 && warp < picture.warps.size(); ++warp) {
        const Colour colour = draw::with_alpha(warp_colour(theme, static_cast<uint32_t>(warp)), share);
        for (const CellRect& rect : picture.warps[warp]) {
            const draw::Box box = box_of(low, rect);
            list->AddRectFilled(box.min, box.max, colour);
        }
    }
    if (share == 1)
        draw_idle(block, low);
    if (cell >= 7)
        draw_lines(low);
}

void LaunchPainter::outline(const PanZoom::Rect& rect, Colour colour, float thick) const
{
    const ImVec2 low = camera.to_screen(rect.x, rect.y);
    const ImVec2 high = camera.to_screen(rect.x + rect.width, rect.y + rect.height);
    list->AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, theme.background, 0, 0, thick + 2);
    list->AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, colour, 0, 0, thick);
}

void LaunchPainter::draw_selection() const
{
    outline(rect_of_block(plan, picture.selected.block), theme.ink, theme.px(1.5f));
    const PlanPoint corner = corner_of(plan, picture.selected.block);
    if (camera.cell() < 2)
        return;
    const std::size_t warp = picture.selected.thread / warp_size;
    if (warp < picture.warps.size())
        for (const CellRect& rect : picture.warps[warp])
            outline({corner.x + rect.col, corner.y + rect.row, static_cast<double>(rect.cols),
                     static_cast<double>(rect.rows)},
                    theme.ink, theme.px(1.5f));
    const PanZoom::Rect thread = rect_of_thread(plan, picture.selected);
    const ImVec2 low = camera.to_screen(thread.x, thread.y), high = camera.to_screen(thread.x + 1, thread.y + 1);
    outline(thread, theme.ink, theme.px(2));
    mark(picture.marks, "thread", low, high);
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
        const PlanPoint place = corner_of(plan, block);
        const ImVec2 low = camera.to_screen(place.x, place.y);
        if (numbered)
            draw_threads(block, low, box);
        if (block == picture.selected.block && picture.inside) {
            const PanZoom::Rect thread = rect_of_thread(plan, picture.selected);
            picture.inside({camera.to_screen(thread.x, thread.y), camera.to_screen(thread.x + 1, thread.y + 1)});
        }
        draw_name(block, {low, camera.to_screen(place.x + plan.cols, place.y + plan.rows)});
    }
}

} // namespace

float name_height(const Theme& theme)
{
    return std::ceil(draw::measure(theme.mono_bold, "0").y + theme.px(3));
}

void draw_launch(ImDrawList* list, const draw::Box& box, const PanZoom& camera, const LaunchPicture& picture)
{
    list->PushClipRect({box.min.x - 2, box.min.y - name_height(picture.theme)}, box.max, true);
    LaunchPainter(list, camera, picture).draw(box);
    list->PopClipRect();
}

PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block)
{
    const PlanPoint corner = corner_of(plan, block);
    return {corner.x, corner.y, static_cast<double>(plan.cols), static_cast<double>(plan.rows)};
}

PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef ref)
{
    const PlanPoint corner = corner_of(plan, ref.block);
    const uint32_t first = ref.thread / warp_size * warp_size;
    std::vector<Cell> cells;
    for (uint32_t thread = first; thread < std::min(first + warp_size, plan.launch.threads_per_block()); ++thread)
        cells.push_back(cell_of_thread(plan, thread));
    const CellRect rect = bounds(cells).value_or(CellRect{});
    return {corner.x + rect.col, corner.y + rect.row, static_cast<double>(rect.cols), static_cast<double>(rect.rows)};
}

PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef ref)
{
    const PlanPoint corner = corner_of(plan, ref.block);
    const Cell cell = cell_of_thread(plan, ref.thread);
    return {corner.x + cell.col, corner.y + cell.row, 1, 1};
}

} // namespace viz
