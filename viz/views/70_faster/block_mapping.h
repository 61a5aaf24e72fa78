// Whose results a warp and a thread of a block hold.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/draw/draw.h"
#include "viz/text/message.h"

#include <string>
#include <vector>

namespace viz {

// Of one block: its tile of C, and in it what the selected warp and lane compute.
struct BlockMapping {
    CellRect tile;               // whole, as its parameters say, also where it reaches beyond C
    uint32_t rows = 0, cols = 0; // of it that lie in C
    std::vector<CellRect> warp, thread;
    std::vector<std::vector<CellRect>> warps; // all of the block
    uint64_t warp_results = 0, thread_results = 0;
    // A trace that took C as one long row, of which the block has parts here and there: its rows and columns are not known.
    bool scattered = false;
    bool passed_on = false; // `warp` and `thread` are who stores, see sums_pass_through_shared
    bool reaches_out() const { return rows < tile.rows || cols < tile.cols; }
};
BlockMapping mapping_of(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                        uint32_t lane);

struct MappingPicture {
    const std::string& slug;
    const BlockMapping& mapping;
    Colour accent = 0;
    const Theme& theme;
};
Message mapping_message(const MappingPicture& picture);
void draw_mapping(const MappingPicture& picture, const draw::Box& box); // with its extents as labels

} // namespace viz
