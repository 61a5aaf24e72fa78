// From where to where the selected lane's words go at a step: an arrow from matrix to tile, to the lane, or to its results.
#pragma once

#include "viz/draw/focus.h"
#include "viz/views/10_tiling/tiling_facts.h"
#include "viz/views/10_tiling/tiling_layout.h"

namespace viz {

struct MovesPicture {
    const TilingFacts& facts;
    const Focus& focus;
    const TilingLayout& layout;
    const Theme& theme;
    Colour colour = 0;
    uint32_t lane = 0;
    std::optional<ImVec2> lane_at = {}; // above the lane in the strip; nothing where that has several rows
    Marks* marks = nullptr;
};

void draw_moves(ImDrawList* list, const MovesPicture& what);

} // namespace viz
