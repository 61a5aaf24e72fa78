// A shared tile as it lies in memory: a column per bank, and on it the words that the current access wants.
#pragma once

#include "viz/marks.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

struct MemoryPicture {
    SharedTile& tile;
    const Theme& theme;
    draw::Box box;
    uint32_t lane = 0;
    Colour accent = 0;
    std::optional<Cell> cell; // selected
    Marks* marks = nullptr;
    std::string elsewhere = {}; // the tile that the step goes to, where it is another one
};

// One ImGui item; returns the element under the mouse.
std::optional<Cell> draw_memory(const MemoryPicture& picture);

// Goes to the words of the current access.
void show_access(const MemoryPicture& picture);

} // namespace viz
