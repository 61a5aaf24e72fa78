// A shared tile as it lies in memory: a column per bank, and on it the words that the current access wants.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

struct MemoryPicture {
    const StagePart& part;
    SharedTile& tile;
    draw::Box box;
    std::optional<Cell> cell; // selected
    std::string elsewhere;    // the tile that the step goes to, where it is another one
};

// One ImGui item; returns the element under the mouse.
std::optional<Cell> draw_memory(const MemoryPicture& picture);

// Goes to the words of the current access.
void show_access(const MemoryPicture& picture);

} // namespace viz
