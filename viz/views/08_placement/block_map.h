// C block by block: at one time of the launch waiting, running or done; where times are not known, by the SM that had it.
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
    const PlacedBlocks& placed;
    const BlockGrid& grid;
    std::optional<double> ns;         // the time; none: not known
    std::optional<uint32_t> selected; // a block, linear in the grid
    Colour accent = 0;
    const Theme& theme;
    Marks* marks = nullptr; // "blocks": all of them
};

using BlockMapPixels =
    KeptPixels<std::tuple<const PlacedBlocks*, std::optional<double>, Colour>>; // the time; the accent

// With a name above and what the colours say below. One ImGui item; returns the block under the mouse.
const PlacedBlock* draw_block_map(const BlockMap& map, BlockMapPixels& pixels, const draw::Box& box);

} // namespace viz
