// C block by block at one time of the launch: waiting, running, done.
#pragma once

#include "viz/analysis/placement.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"
#include "viz/views/08_placement/kept_pixels.h"

#include <optional>

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

Colour state_colour(const BlockMap& map, BlockState state);

// The blocks are painted from this.
struct PaintedBlocks {
    const PlacementPicture* picture = nullptr;
    double ns = -1;
    int width = 0, height = 0;
    Colour accent = 0;
    bool dark = true;
    friend bool operator==(const PaintedBlocks&, const PaintedBlocks&) = default;
};

// With a name above and how many wait, run and are done below. One ImGui item; returns the block under the mouse.
const PlacedBlock* draw_block_map(const BlockMap& map, KeptPixels<PaintedBlocks>& image, const draw::Box& box);

} // namespace viz
