// From where to where the selected lane's words go at a step: an arrow from matrix to tile, to the lane, or to its results.
#pragma once

#include "viz/views/10_tiling/tiling_facts.h"
#include "viz/views/10_tiling/tiling_layout.h"

namespace viz {

// `lane_at`: above the lane in the strip; nothing where that has several rows.
void draw_moves(const TilingPart& part, const TilingLayout& layout, const std::optional<ImVec2>& lane_at);

} // namespace viz
