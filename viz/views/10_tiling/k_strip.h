// All of K as a row of its tiles, each in the colour of how far it has come; with split-K each also in that of its slice.
#pragma once

#include "viz/analysis/k_tiles.h"
#include "viz/analysis/pipeline.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"

#include <optional>
#include <vector>

namespace viz {

struct KStrip {
    const std::vector<KTile>& tiles;
    std::vector<TileState> states; // by the block's own numbers
    const Theme& theme;
    Marks* marks = nullptr; // "k-tile 1", ...; counted from 1 along K
};

bool split(const std::vector<KTile>& tiles); // over several blocks
Colour state_colour(const Theme& theme, TileState state);
Colour slice_colour(const Theme& theme, uint32_t slice);

// One ImGui item; returns the tile under the mouse.
const KTile* draw_k_strip(const KStrip& strip, const draw::Box& box);

} // namespace viz
