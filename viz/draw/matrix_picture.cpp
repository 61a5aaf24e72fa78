#include "viz/draw/matrix_picture.h"

#include "viz/figure/surface.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

draw::Box pixels_of(const MatrixFrame& frame, const CellRect& rect, float least)
{
    const draw::Box exact = frame.box_of(rect);
    const ImVec2 low{std::floor(exact.min.x), std::floor(exact.min.y)};
    return {low,
            {std::max(low.x + least, std::round(std::max(exact.max.x, exact.min.x + least))),
             std::max(low.y + least, std::round(std::max(exact.max.y, exact.min.y + least)))}};
}

// Whether elements are large enough for lines between them.
bool lined(const MatrixFrame& frame)
{
    return frame.cell >= 6 && frame.cell_height() >= 6;
}

float name_room(const Theme& theme) // left of the lanes
{
    return theme.px(66);
}

struct StripGeometry {
    float cell = 0, row = 0;
    uint32_t per_row = 32;

    draw::Box of_lane(ImVec2 first, uint32_t lane) const
    {
        const ImVec2 corner{first.x + cell * static_cast<float>(lane % per_row),
                            first.y + row * static_cast<float>(lane / per_row)};
        return {corner, {corner.x + cell - 1, corner.y + row - 1}};
    }
};

StripGeometry strip_geometry(const Theme& theme, float width)
{
    const ImVec2 number = draw::measure(theme.mono, "00");
    const float lanes = width - name_room(theme);
    StripGeometry g;
    for (g.per_row = 32; g.per_row > 4 && lanes / static_cast<float>(g.per_row) < number.x + 4;)
        g.per_row /= 2;
    g.cell = std::floor(std::min(lanes / static_cast<float>(g.per_row), theme.px(28)));
    g.row = std::round(number.y + theme.px(6));
    return g;
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

void draw_matrix(Surface& surface, const MatrixFrame& frame, const Theme& theme)
{
    const draw::Box box = frame.box();
    surface.fill(box, draw::empty_colour(theme));
    const uint32_t last = frame.shape.wrapped ? frame.shape.count % frame.shape.cols : 0;
    if (last != 0) // the last row of a wrapped vector ends early
        surface.fill({{box.min.x + frame.cell * static_cast<float>(last), box.max.y - frame.cell_height()}, box.max},
                     theme.background);
    surface.outline({{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}}, theme.border, 1);
    if (!lined(frame))
        return;
    const Colour line = draw::with_alpha(theme.border, 0.6f);
    for (uint32_t col = 1; col < frame.shape.cols; ++col) {
        const float x = std::round(box.min.x + frame.cell * static_cast<float>(col));
        surface.fill({{x, box.min.y}, {x + 1, box.max.y}}, line);
    }
    for (uint32_t row = 1; row < frame.shape.rows; ++row) {
        const float y = std::round(box.min.y + frame.cell_height() * static_cast<float>(row));
        surface.fill({{box.min.x, y}, {box.max.x, y + 1}}, line);
    }
}

void fill_cells(Surface& surface, const MatrixFrame& frame, const std::vector<CellRect>& rects, Colour colour,
                float least)
{
    const Colour edge = draw::with_alpha(mix(colour, ink_on(colour), 0.5f), 0.22f);
    for (const CellRect& rect : rects) {
        surface.fill(pixels_of(frame, rect, least), colour);
        if (!lined(frame))
            continue;
        for (uint32_t row = 0; row < rect.rows; ++row)
            for (uint32_t col = 0; col < rect.cols; ++col) {
                const draw::Box cell = pixels_of(frame, {rect.row + row, rect.col + col, 1, 1}, 1);
                surface.outline({cell.min, {cell.max.x + 1, cell.max.y + 1}}, edge, 1);
            }
    }
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

float lane_strip_height(const Theme& theme, float width)
{
    const StripGeometry g = strip_geometry(theme, width);
    return g.row * static_cast<float>(32 / g.per_row);
}

std::optional<uint32_t> draw_lane_strip(const LaneStrip& strip, const Theme& theme, const draw::Box& box)
{
    const StripGeometry g = strip_geometry(theme, box.width());
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw::text(list, theme.mono_bold, {box.min.x, box.min.y + theme.px(2)}, theme.ink, strip.name);
    const ImVec2 place{box.min.x + name_room(theme), box.min.y};
    ImGui::SetCursorScreenPos(place);
    ImGui::InvisibleButton("lanes", {g.cell * static_cast<float>(g.per_row), lane_strip_height(theme, box.width())});
    std::optional<uint32_t> under;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const draw::Box cell = g.of_lane({std::round(place.x), std::round(place.y)}, lane);
        const bool active = strip.mask >> lane & 1u, selected = lane == strip.selected;
        if (active)
            list->AddRectFilled(cell.min, cell.max, selected ? theme.ink : strip.active);
        else if (!(strip.threads >> lane & 1u))
            list->AddLine({cell.min.x, cell.max.y}, {cell.max.x, cell.min.y}, selected ? theme.ink : theme.border);
        else
            list->AddRect(cell.min, cell.max, selected ? theme.ink : theme.border);
        const Colour ink = active ? ink_on(selected ? theme.ink : strip.active) : theme.ink_faint;
        draw::text_in(list, theme.mono, cell, ink, std::to_string(lane));
        if (ImGui::IsItemHovered() && cell.holds(ImGui::GetMousePos()))
            under = lane;
    }
    return under;
}

} // namespace viz
