#include "viz/views/20_threads/thread_map.h"

#include "viz/analysis/hierarchy.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace viz {

using recording::Recording;

namespace {

constexpr std::size_t upload_per_frame = 4u << 20; // bytes

// The lines of text in a cell, most important first: how many are shown depends on the room.
std::vector<std::string> cell_lines(const Recording& recording, ColourBy by, Cell element, const Owner& owner)
{
    const std::string thread = fmt::format("{}", owner.thread), warp = fmt::format("{}", owner.warp);
    const std::string lane = fmt::format("{}", owner.lane);
    std::vector<std::string> lines;
    switch (by) {
    case ColourBy::block: lines.push_back(thread); break;
    case ColourBy::warp: lines.push_back(warp); break;
    case ColourBy::lane: lines.push_back(lane); break;
    case ColourBy::sm: lines.push_back(owner.sm ? fmt::format("{}", *owner.sm) : thread); break;
    }
    if (owner.sm)
        lines.push_back(fmt::format("SM {}", *owner.sm));
    lines.push_back(fmt::format("{}({},{})", recording.arrays[2].name, element.row, element.col));
    lines.push_back("thread " + thread);
    lines.push_back(fmt::format("warp {}, lane {}", warp, lane));
    lines.push_back(recording.launch.grid.z > 1
                        ? fmt::format("block {},{},{}", owner.block_index.x, owner.block_index.y, owner.block_index.z)
                        : fmt::format("block {},{}", owner.block_index.x, owner.block_index.y));
    return lines;
}

void draw_lines(ImDrawList* list, const Theme& theme, const draw::Box& box, Colour ink,
                const std::vector<std::string>& lines)
{
    const auto fits = [&](const std::string& line) {
        return draw::measure(theme.mono, line).x + theme.px(6) <= box.width();
    };
    const auto below = std::span(lines).subspan(1);
    const float height = draw::line_height(theme.mono) * static_cast<float>(below.size());
    if (std::ranges::all_of(lines, fits) && height + theme.px(4) <= box.height())
        draw::lines_in(list, theme.mono, box, ink, below);
    else
        draw::text_in(list, theme.mono, box, ink, lines.front());
}

uint32_t ruler_step(float needed, double cell)
{
    uint32_t step = 1;
    while (step < 1u << 30 && static_cast<double>(step) * cell < needed)
        step *= 2;
    return step;
}

// Numbers of rows and columns along the edges of the box, which they lie outside of.
void draw_rulers(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const MapShape& shape,
                 const Theme& theme)
{
    const ImVec2 text = draw::measure(theme.mono, fmt::format("{}", std::max(shape.cols, shape.rows)));
    const uint32_t across = ruler_step(text.x + theme.px(14), camera.cell);
    for (uint32_t col = 0; col < shape.cols; col += across) {
        const ImVec2 at = to_screen(box, camera, 0, col + 0.5);
        const std::string label = fmt::format("{}", col);
        const float left = at.x - draw::measure(theme.mono, label).x / 2;
        if (left >= box.min.x - theme.px(6) && at.x + text.x / 2 <= box.max.x + theme.px(6))
            draw::text(list, theme.mono, {left, box.min.y - text.y - theme.px(3)}, theme.ink_quiet, label);
    }
    const uint32_t down = ruler_step(text.y + theme.px(6), camera.cell);
    for (uint32_t row = 0; row < shape.rows; row += down) {
        const ImVec2 at = to_screen(box, camera, row + 0.5, 0);
        if (at.y < box.min.y || at.y > box.max.y)
            continue;
        const std::string label = fmt::format("{}", shape.wrapped ? uint64_t{row} * shape.cols : row);
        draw::text(list, theme.mono,
                   {box.min.x - draw::measure(theme.mono, label).x - theme.px(6),
                    std::max(at.y - text.y / 2, box.min.y - theme.px(3))},
                   theme.ink_quiet, label);
    }
}

bool numbers_each_cell(const gl::Camera& camera, const Theme& theme)
{
    const ImVec2 least = draw::measure(theme.mono, "00");
    return camera.cell >= std::max(least.x, least.y) + theme.px(2);
}

} // namespace

ImVec2 to_screen(const draw::Box& box, const gl::Camera& camera, double row, double col)
{
    return {static_cast<float>((box.min.x + box.max.x) / 2 + (col - camera.col) * camera.cell),
            static_cast<float>((box.min.y + box.max.y) / 2 + (row - camera.row) * camera.cell)};
}

draw::Box to_screen(const draw::Box& box, const gl::Camera& camera, const CellRect& rect)
{
    return {to_screen(box, camera, rect.row, rect.col),
            to_screen(box, camera, uint64_t{rect.row} + rect.rows, uint64_t{rect.col} + rect.cols)};
}

std::optional<Cell> place_under(const draw::Box& box, const gl::Camera& camera, const MapShape& shape, ImVec2 point)
{
    const double col = std::floor(camera.col + (point.x - (box.min.x + box.max.x) / 2) / camera.cell);
    const double row = std::floor(camera.row + (point.y - (box.min.y + box.max.y) / 2) / camera.cell);
    if (!box.holds(point) || row < 0 || col < 0 || row >= shape.rows || col >= shape.cols)
        return {};
    return Cell{static_cast<uint32_t>(row), static_cast<uint32_t>(col)};
}

ImVec2 ruler_size(const MapShape& shape, const Theme& theme)
{
    const uint32_t largest = shape.wrapped ? shape.count : shape.rows;
    const ImVec2 text = draw::measure(theme.mono, fmt::format("{}", largest));
    return {std::ceil(text.x + theme.px(8)), std::ceil(text.y + theme.px(4))};
}

std::shared_ptr<const ThreadMap::Painted> ThreadMap::paint(const Recording& recording, ColourBy by,
                                                           const std::vector<Colour>& palette)
{
    auto painted = std::make_shared<Painted>();
    painted->map = owner_map(recording, by);
    painted->levels = pyramid(painted->map, palette);
    painted->palette = palette;
    painted->regions = owner_regions(recording, by);
    return painted;
}

void ThreadMap::show(const StageColumn& column, ColourBy wanted_by, const Theme& theme)
{
    recording = column.recording;
    by = wanted_by;
    palette = owner_palette(theme, by);
    shape_ = map_shape(*recording);
    const uint32_t largest = gl::Grid::largest_side();
    if (shape_.rows == 0 || shape_.rows > largest || shape_.cols > largest) {
        shape_ = {};
        return;
    }
    const auto* now = column.memo_later<paint>(recording->owner.size() <= elements_in_frame, by, palette);
    if (now != nullptr && *now != painted) {
        painted = *now;
        grid.set(painted);
        uploaded = false;
    }
    if (!uploaded)
        uploaded = grid.upload(upload_per_frame);
}

bool ThreadMap::draw_region_numbers(ImDrawList* list, const draw::Box& box, const gl::Camera& camera,
                                    const Theme& theme) const
{
    bool any = false;
    for (const CellRect& rect : painted->regions) {
        const draw::Box place = to_screen(box, camera, rect);
        if (place.height() < draw::line_height(theme.mono) || !place.overlaps(box))
            continue;
        const auto element = map_element(shape_, {rect.row, rect.col});
        const auto owner = element ? owner_of(*recording, element->row, element->col) : std::nullopt;
        if (!owner)
            continue;
        const Colour face = palette[palette_index(*recording, by, *owner)];
        const std::string number = by == ColourBy::block ? index_text(owner->block_index, recording->launch.grid)
                                                         : cell_lines(*recording, by, *element, *owner).front();
        any = draw::text_in(list, theme.mono, place, ink_on(face), number) || any;
    }
    return any;
}

std::optional<Message> ThreadMap::what_numbers_say(const gl::Camera& camera, const Theme& theme) const
{
    if (!numbered)
        return {};
    switch (by) {
    case ColourBy::block:
        return Message{numbers_each_cell(camera, theme) ? "threads.numbers_threads" : "threads.numbers_blocks"};
    case ColourBy::warp: return Message{"threads.numbers_warps"};
    case ColourBy::lane: return Message{"threads.numbers_lanes"};
    case ColourBy::sm: break;
    }
    return Message{"threads.numbers_sms"};
}

bool ThreadMap::draw_numbers(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const Theme& theme) const
{
    if (!numbers_each_cell(camera, theme))
        return draw_region_numbers(list, box, camera, theme);
    const auto within = [](double value, uint32_t end) {
        return static_cast<uint32_t>(std::clamp(value, 0.0, static_cast<double>(end)));
    };
    const double half_rows = box.height() / 2 / camera.cell, half_cols = box.width() / 2 / camera.cell;
    const uint32_t last_row = within(std::ceil(camera.row + half_rows), shape_.rows);
    const uint32_t last_col = within(std::ceil(camera.col + half_cols), shape_.cols);
    for (uint32_t row = within(std::floor(camera.row - half_rows), shape_.rows); row < last_row; ++row)
        for (uint32_t col = within(std::floor(camera.col - half_cols), shape_.cols); col < last_col; ++col) {
            const auto element = map_element(shape_, {row, col});
            const auto owner = element ? owner_of(*recording, element->row, element->col) : std::nullopt;
            if (!owner)
                continue;
            const Colour face = palette[palette_index(*recording, by, *owner)];
            draw_lines(list, theme, to_screen(box, camera, {row, col, 1, 1}), ink_on(face),
                       cell_lines(*recording, by, *element, *owner));
        }
    return true;
}

void ThreadMap::draw(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const Theme& theme)
{
    draw_rulers(list, box, camera, shape_, theme);
    numbered = false;
    if (grid.empty()) {
        list->AddRectFilled(box.min, box.max, theme.panel);
        draw::text_in(list, theme.text, box, theme.ink_quiet, plain(Message{"threads.preparing"}));
        return;
    }
    // Only the part of the box that the map covers.
    const auto [low, high] = to_screen(box, camera, {0, 0, shape_.rows, shape_.cols});
    const draw::Box seen_box{{std::max(box.min.x, std::floor(low.x)), std::max(box.min.y, std::floor(low.y))},
                             {std::min(box.max.x, std::ceil(high.x)), std::min(box.max.y, std::ceil(high.y))}};
    if (seen_box.width() < 1 || seen_box.height() < 1)
        return;
    const float density = ImGui::GetIO().DisplayFramebufferScale.x;
    const int width = std::max(1, static_cast<int>(std::lround(seen_box.width() * density)));
    const int height = std::max(1, static_cast<int>(std::lround(seen_box.height() * density)));
    const gl::GridLook look{theme.background, draw::with_alpha(theme.background, 0.35f), theme.background};
    const double right = (seen_box.min.x + seen_box.max.x - box.min.x - box.max.x) / 2;
    const double down = (seen_box.min.y + seen_box.max.y - box.min.y - box.max.y) / 2;
    const gl::Camera seen{camera.row + down / camera.cell, camera.col + right / camera.cell, camera.cell * density};
    const GLuint picture = grid.draw(seen, width, height, look);
    list->PushClipRect(box.min, box.max, true);
    // The picture is opaque; without blending a software renderer draws it in two thirds of the time.
    list->AddCallback([](const ImDrawList*, const ImDrawCmd*) { glDisable(GL_BLEND); }, nullptr);
    list->AddImage(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(picture)), seen_box.min, seen_box.max);
    list->AddCallback([](const ImDrawList*, const ImDrawCmd*) { glEnable(GL_BLEND); }, nullptr);
    numbered = draw_numbers(list, box, camera, theme);
    list->PopClipRect();
}

void ThreadMap::draw_marks(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const MapMarks& marks,
                           const Theme& theme, Colour accent) const
{
    list->PushClipRect(box.min, box.max, true);
    const auto outline = [&](const CellRect& rect, Colour colour, float thick) {
        draw::outline(list, theme, to_screen(box, camera, rect), colour, thick);
    };
    for (const CellRect& rect : marks.block)
        outline(rect, theme.ink, theme.px(1));
    for (const CellRect& rect : marks.warp)
        outline(rect, accent, theme.px(1.5f));
    for (const CellRect& rect : marks.thread)
        outline(rect, theme.ink, theme.px(2));
    if (marks.element && camera.cell >= 4)
        outline({marks.element->row, marks.element->col, 1, 1}, theme.ink, theme.px(2));
    list->PopClipRect();
}

} // namespace viz
