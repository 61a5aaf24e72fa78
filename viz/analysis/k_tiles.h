// Divides K into tiles, and with split-K into slices: which block at a grid position processes which part. Pure
// functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// A part of K with the width of a k-tile.
struct KTile {
    uint32_t first = 0, count = 0;      // range of k
    int number = -1;                    // index among the block's own k-tiles, 0-based; -1 if another block reads it
    std::optional<uint32_t> slice = {}; // z of the block that reads it; empty if not known
    bool recorded = false;              // the slice was recorded; otherwise it is extrapolated from the recorded slices
    friend bool operator==(const KTile&, const KTile&) = default;
};

// Divides all of K into tiles of the width of the block's own k-tiles, of which the block has `own`. Returns nothing if
// the block reads no A.
std::vector<KTile> tiles_along_k(const recording::Recording& recording, const recording::BlockTrace& block, int own);

// Returns whether blocks write partial sums of C to a workspace, which another launch sums. In that case the recording
// does not cover the whole computation.
bool leaves_parts(const recording::Recording& recording);

} // namespace viz
