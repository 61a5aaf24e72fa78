#include "viz/views/10_tiling/k_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

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

} // namespace

bool split(const std::vector<KTile>& tiles)
{
    return std::ranges::any_of(tiles, [&](const KTile& tile) { return tile.slice != tiles.front().slice; });
}

const KTile* draw_k_strip(const TilingPart& part, const draw::Box& box)
{
    const Theme& theme = part.theme();
    const std::vector<KTile>& tiles = part.facts.k_tiles;
    const std::size_t tick = part.facts.tiling.contents().order().tick(part.focus.warp_index, part.focus.step);
    const std::vector<TileState> states = tile_states(part.facts.pipeline, tick); // by the block's own numbers
    const bool hovered = draw::item("k-tiles", box), sliced = split(tiles);
    const KTile* under = nullptr;
    const auto count = static_cast<float>(tiles.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const KTile& tile = tiles[i];
        const auto at = [&](std::size_t n) {
            return std::round(box.min.x + box.width() * static_cast<float>(n) / count);
        };
        const draw::Box cell{{at(i), box.min.y}, {std::max(at(i + 1) - 1, at(i) + 1), box.max.y}};
        const bool own = tile.number >= 0 && static_cast<std::size_t>(tile.number) < states.size();
        const TileState state = own ? states[static_cast<std::size_t>(tile.number)] : TileState::ahead;
        const Colour face = state_colour(theme, state);
        part.list->AddRectFilled(cell.min, cell.max, face);
        part.list->AddRect(cell.min, cell.max, theme.border);
        if (sliced && tile.slice)
            part.list->AddRectFilled({cell.min.x, cell.max.y - theme.px(4)}, cell.max,
                                     category_colour(theme, *tile.slice));
        const bool known = state != TileState::ahead;
        draw::text_in(part.list, theme.mono, {cell.min, {cell.max.x, cell.max.y - (sliced ? theme.px(4) : 0)}},
                      known ? ink_on(face)
                      : own ? theme.ink_quiet
                            : theme.ink_faint,
                      fmt::format("{}", i + 1));
        mark(part.marks(), fmt::format("k-tile {}", i + 1), cell);
        if (hovered && cell.holds(ImGui::GetMousePos()))
            under = &tile;
    }
    return under;
}

} // namespace viz
