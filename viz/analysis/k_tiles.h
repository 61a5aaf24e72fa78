// K cut into tiles, and by split-K into slices: which block of a place in the grid works on which part. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

struct KTile {
    uint32_t first = 0, count = 0;      // k
    int number = -1;                    // which of the block's own k-tiles, 0-based; -1: another block's
    std::optional<uint32_t> slice = {}; // z of the block that reads it; nothing: not known
    bool recorded = false;              // that it does; else the recorded slices go on as they began, block after block
    friend bool operator==(const KTile&, const KTile&) = default;
};

// All of K in the width of the block's own k-tiles, of which it has `own`. Nothing where the block reads no A.
std::vector<KTile> tiles_along_k(const recording::Recording& recording, const recording::BlockTrace& block, int own);

// Whether blocks leave parts of C in a workspace, which another launch adds up: what was recorded is not all of it.
bool leaves_parts(const recording::Recording& recording);

} // namespace viz
