#include "viz/views/10_tiling/k_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

bool split(const std::vector<KTile>& tiles)
{
    return std::ranges::any_of(tiles, [&](const KTile& tile) { return tile.slice != tiles.front().slice; });
}

Colour state_colour(const Theme& theme, TileState state)
{
    switch (state) {
    case TileState::copied: return theme.load;
    case TileState::here: return mix(theme.panel, theme.load, 0.5f);
    case TileState::computed: return theme.compute;
    case TileState::done: return mix(theme.panel, theme.compute, 0.45f);
    case TileState::ahead: break;
    }
    return theme.panel;
}

Colour slice_colour(const Theme& theme, uint32_t slice)
{
    return category_colour(theme, slice);
}

const KTile* draw_k_strip(const KStrip& strip, const draw::Box& box)
{
    const Theme& theme = strip.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton("k-tiles", {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    const bool hovered = ImGui::IsItemHovered(), sliced = split(strip.tiles);
    const KTile* under = nullptr;
    const auto count = static_cast<float>(strip.tiles.size());
    for (std::size_t i = 0; i < strip.tiles.size(); ++i) {
        const KTile& tile = strip.tiles[i];
        const auto at = [&](std::size_t n) {
            return std::round(box.min.x + box.width() * static_cast<float>(n) / count);
        };
        const draw::Box cell{{at(i), box.min.y}, {std::max(at(i + 1) - 1, at(i) + 1), box.max.y}};
        const bool own = tile.number >= 0 && static_cast<std::size_t>(tile.number) < strip.states.size();
        const TileState state = own ? strip.states[static_cast<std::size_t>(tile.number)] : TileState::ahead;
        const Colour face = state_colour(theme, state);
        list->AddRectFilled(cell.min, cell.max, face);
        list->AddRect(cell.min, cell.max, theme.border);
        if (sliced && tile.slice)
            list->AddRectFilled({cell.min.x, cell.max.y - theme.px(4)}, cell.max, slice_colour(theme, *tile.slice));
        const bool known = state != TileState::ahead;
        draw::text_in(list, theme.mono, {cell.min, {cell.max.x, cell.max.y - (sliced ? theme.px(4) : 0)}},
                      known ? ink_on(face)
                      : own ? theme.ink_quiet
                            : theme.ink_faint,
                      fmt::format("{}", i + 1));
        mark(strip.marks, fmt::format("k-tile {}", i + 1), cell.min, cell.max);
        if (hovered && cell.holds(ImGui::GetMousePos()))
            under = &tile;
    }
    return under;
}

} // namespace viz
