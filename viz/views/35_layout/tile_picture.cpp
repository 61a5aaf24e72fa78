#include "viz/views/35_layout/tile_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr uint32_t banks = model::banks;

// A cell of either picture, on the screen.
draw::Box cell_box(const PanZoom& camera, double x, double y, double width = 1, double height = 1)
{
    return {camera.to_screen(x, y), camera.to_screen(x + width, y + height)};
}

struct Range { // of visible rows or columns
    uint32_t first = 0, end = 0;
};

Range visible(double from, double length, uint32_t count)
{
    const auto clamped = [count](double value) {
        return static_cast<uint32_t>(std::clamp(value, 0.0, static_cast<double>(count)));
    };
    return {clamped(std::floor(from)), clamped(std::ceil(from + length))};
}

void outline(const TilePicture& picture, ImDrawList* list, const draw::Box& box, Colour colour, float thick)
{
    list->AddRect(box.min, box.max, picture.theme.background, 0, 0, thick + 2);
    list->AddRect(box.min, box.max, colour, 0, 0, thick);
}

// The elements of the marked access, by lane.
std::vector<Cell> marked(const TilePicture& picture, std::optional<uint32_t> lane)
{
    const SharedTile& side = picture.tile;
    if (!side.step)
        return {};
    const recording::Access& access = picture.focus.warp->accesses[*side.step];
    const Elements elements(side.tile());
    return lane ? cells_of_lane(access, elements, side.tile().element_bytes, *lane)
                : cells_of_access(access, elements, side.tile().element_bytes);
}

} // namespace

std::optional<Cell> draw_tile_by_element(const TilePicture& picture, const draw::Box& box)
{
    SharedTile& side = picture.tile;
    const Theme& theme = picture.theme;
    const recording::Array& tile = side.tile();
    ImDrawList* list = ImGui::GetWindowDrawList();
    PanZoom& camera = side.tile_camera;
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton("by element", {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    const double tall = side.stretch;
    camera.follow(box, tile.cols, tile.rows * tall);
    camera.use_mouse();
    const bool hovered = ImGui::IsItemHovered();
    const PanZoom::Rect seen = camera.seen();
    const Range rows = visible(seen.y / tall, seen.height / tall, tile.rows),
                cols = visible(seen.x, seen.width, tile.cols);
    list->PushClipRect(box.min, box.max, true);
    const float line = draw::measure(theme.mono, "0").y, least = draw::measure(theme.mono, "00").x;
    const float space = camera.cell() > 6 ? 1.0f : 0.0f;
    for (uint32_t row = rows.first; row < rows.end; ++row)
        for (uint32_t col = cols.first; col < cols.end; ++col) {
            draw::Box cell = cell_box(camera, col, row * tall, 1, tall);
            cell.max = {cell.max.x - space, cell.max.y - space};
            const int bank = side.bank_of({row, col});
            const Colour face = lane_colour(theme, static_cast<uint32_t>(bank));
            list->AddRectFilled(cell.min, cell.max, face);
            if (cell.width() < least)
                continue;
            const bool much = cell.height() >= 3 * line && cell.width() >= draw::measure(theme.mono, "place 00000").x;
            if (!much) {
                draw::text_in(list, theme.mono, cell, ink_on(face), fmt::format("{}", bank));
                continue;
            }
            const std::string words[] = {fmt::format("({},{})", row, col),
                                         fmt::format("place {}", side.shown().place[side.index({row, col})]),
                                         fmt::format("bank {}", bank)};
            for (int i = 0; i < 3; ++i) {
                const float y = (cell.min.y + cell.max.y) / 2 + (static_cast<float>(i) - 1.5f) * line;
                draw::text_in(list, theme.mono, {{cell.min.x, y}, {cell.max.x, y + line}}, ink_on(face), words[i]);
            }
        }
    const auto mark_cells = [&](const std::vector<Cell>& cells, Colour colour, float thick) {
        for (const CellRect& rect : cover(cells))
            outline(picture, list, cell_box(camera, rect.col, rect.row * tall, rect.cols, rect.rows * tall), colour,
                    thick);
    };
    mark_cells(marked(picture, {}), theme.ink, theme.px(1.5f));
    mark_cells(marked(picture, picture.lane), picture.accent, theme.px(2));
    if (picture.cell) {
        const draw::Box cell = cell_box(camera, picture.cell->col, picture.cell->row * tall, 1, tall);
        outline(picture, list, cell, theme.warning, theme.px(2));
        mark(picture.marks, "tile cell", cell.min, cell.max);
    }
    list->PopClipRect();
    const auto [x, y] = camera.from_screen(ImGui::GetMousePos());
    if (!hovered || x < 0 || y < 0 || x >= tile.cols || y >= tile.rows * tall)
        return {};
    return Cell{static_cast<uint32_t>(y / tall), static_cast<uint32_t>(x)};
}

namespace {

// Runs of neighbouring places that hold the same row of the tile, or padding.
void draw_places(const TilePicture& picture, ImDrawList* list, uint32_t line, uint32_t words_per_place)
{
    const SharedTile& side = picture.tile;
    const Theme& theme = picture.theme;
    const PanZoom& camera = side.bank_camera;
    const uint32_t per_line = banks / words_per_place, cols = side.tile().cols;
    const float space = camera.cell() > 6 ? 1.0f : 0.0f;
    const std::string whole = fmt::format("{},{}", side.tile().rows - 1, cols - 1);
    const auto row_at = [&](uint32_t place) {
        return place < side.element_at.size() && side.element_at[place] != SharedTile::none
                   ? std::optional(side.element_at[place] / cols)
                   : std::nullopt;
    };
    const uint32_t first = line * per_line, end = first + per_line;
    for (uint32_t place = first; place < end;) {
        uint32_t next = place + 1;
        while (next < end && row_at(next) == row_at(place) && (space == 0 || next == place))
            ++next;
        draw::Box box = cell_box(camera, (place - first) * words_per_place, line,
                                 static_cast<double>(next - place) * words_per_place);
        box.max = {box.max.x - space, box.max.y - space};
        const auto row = row_at(place);
        const Colour face = row ? warp_colour(theme, *row) : theme.panel;
        list->AddRectFilled(box.min, box.max, face);
        if (row && next == place + 1) {
            const uint32_t element = side.element_at[place];
            // Where it does not fit for all, it is printed for none.
            if (draw::measure(theme.mono, whole).x <= box.width())
                draw::text_in(list, theme.mono, box, ink_on(face),
                              fmt::format("{},{}", element / cols, element % cols));
        }
        place = next;
    }
}

// Above the columns; every second, fourth ... where they would touch.
void draw_bank_numbers(ImDrawList* list, const Theme& theme, const PanZoom& camera, const draw::Box& box)
{
    uint32_t step = 1;
    while (static_cast<double>(step) * camera.cell() < draw::measure(theme.mono, "00 ").x && step < banks)
        step *= 2;
    for (uint32_t bank = 0; bank < banks; bank += step) {
        const draw::Box cell = cell_box(camera, bank, 0);
        const std::string number = fmt::format("{}", bank);
        const float x = (cell.min.x + cell.max.x - draw::measure(theme.mono, number).x) / 2;
        if (x >= box.min.x - theme.px(8) && x < box.max.x - theme.px(8))
            draw::text(list, theme.mono, {x, box.min.y}, theme.ink_quiet, number);
    }
}

} // namespace

std::optional<Cell> draw_tile_by_bank(const TilePicture& picture, const draw::Box& box)
{
    SharedTile& side = picture.tile;
    const Theme& theme = picture.theme;
    const uint32_t element_bytes = side.tile().element_bytes;
    // Elements of less than 4 bytes share a bank; a column is then an element.
    const uint32_t per_line = banks * model::bank_bytes / element_bytes;
    const auto lines = static_cast<uint32_t>((side.element_at.size() + per_line - 1) / per_line);
    const double width = static_cast<double>(banks) / per_line; // of an element, in banks
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float head = std::ceil(draw::measure(theme.mono, "0").y + theme.px(3));
    const draw::Box inner{{box.min.x, box.min.y + head}, box.max};
    PanZoom& camera = side.bank_camera;
    ImGui::SetCursorScreenPos(inner.min);
    ImGui::InvisibleButton("by bank", {std::max(1.0f, inner.width()), std::max(1.0f, inner.height())});
    camera.follow(inner, banks, std::max(1u, lines));
    camera.use_mouse();
    const bool hovered = ImGui::IsItemHovered();
    draw_bank_numbers(list, theme, camera, box);
    list->PushClipRect(inner.min, inner.max, true);
    const PanZoom::Rect seen = camera.seen();
    const Range rows = visible(seen.y, seen.height, lines);
    if (width == 1)
        for (uint32_t line = rows.first; line < rows.end; ++line)
            draw_places(picture, list, line, 1);
    else
        for (uint32_t line = rows.first; line < rows.end; ++line)
            for (uint32_t i = 0; i < per_line; ++i) {
                const uint32_t place = line * per_line + i;
                const bool used = place < side.element_at.size() && side.element_at[place] != SharedTile::none;
                const draw::Box cell = cell_box(camera, i * width, line, width);
                list->AddRectFilled(cell.min, cell.max,
                                    used ? warp_colour(theme, side.element_at[place] / side.tile().cols) : theme.panel);
            }
    const auto place_box = [&](Cell cell) {
        const uint32_t place = side.shown().place[side.index(cell)];
        return cell_box(camera, place % per_line * width, place / per_line, width);
    };
    for (const Cell& cell : marked(picture, {}))
        outline(picture, list, place_box(cell), theme.ink, theme.px(1));
    for (const Cell& cell : marked(picture, picture.lane))
        outline(picture, list, place_box(cell), picture.accent, theme.px(2));
    if (picture.cell)
        outline(picture, list, place_box(*picture.cell), theme.warning, theme.px(2));
    list->PopClipRect();
    const auto [x, y] = camera.from_screen(ImGui::GetMousePos());
    if (!hovered || x < 0 || y < 0 || x >= banks || y >= lines)
        return {};
    const auto place = static_cast<std::size_t>(y) * per_line + static_cast<std::size_t>(x / width);
    if (place >= side.element_at.size() || side.element_at[place] == SharedTile::none)
        return {};
    return Cell{side.element_at[place] / side.tile().cols, side.element_at[place] % side.tile().cols};
}

} // namespace viz
