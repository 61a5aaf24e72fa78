// C block by block at one time of the launch: waiting, running, done.
#pragma once

#include "viz/analysis/placement.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"
#include "viz/views/08_placement/kept_pixels.h"

#include <optional>
#include <tuple>

namespace viz {

struct BlockMap {
    const PlacementPicture& picture;
    const BlockGrid& grid;
    double ns = 0;
    std::optional<uint32_t> selected; // a block, linear in the grid
    Colour accent = 0;
    const Theme& theme;
    Marks* marks = nullptr; // "blocks": all of them
};

using BlockMapPixels = KeptPixels<std::tuple<const PlacementPicture*, double, Colour>>; // the time; the accent

// With a name above and how many wait, run and are done below. One ImGui item; returns the block under the mouse.
const PlacedBlock* draw_block_map(const BlockMap& map, BlockMapPixels& pixels, const draw::Box& box);

} // namespace viz
