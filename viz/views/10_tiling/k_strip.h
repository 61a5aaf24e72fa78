// All of K as a row of its tiles, each in the colour of how far it has come; with split-K each also in that of its slice.
#pragma once

#include "viz/views/10_tiling/tiling_facts.h"

#include <vector>

namespace viz {

bool split(const std::vector<KTile>& tiles); // over several blocks

// One ImGui item; returns the tile under the mouse. Marks "k-tile 1", ...; counted from 1 along K.
const KTile* draw_k_strip(const TilingPart& part, const draw::Box& box);

} // namespace viz
