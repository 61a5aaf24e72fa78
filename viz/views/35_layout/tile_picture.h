// The two pictures of a shared tile: by row and column, and by place in memory.
#pragma once

#include "viz/marks.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

struct TilePicture {
    SharedTile& tile;
    const Focus& focus;
    const Theme& theme;
    uint32_t lane = 0;
    Colour accent = 0;
    std::optional<Cell> cell; // selected
    Marks* marks = nullptr;
};

// The tile by row and column, coloured by bank; and by place, a row for every 32 banks, coloured by row of the tile.
// Each is one ImGui item and returns the element under the mouse.
std::optional<Cell> draw_tile_by_element(const TilePicture& picture, const draw::Box& box);
std::optional<Cell> draw_tile_by_bank(const TilePicture& picture, const draw::Box& box);

} // namespace viz
