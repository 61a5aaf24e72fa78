// What a warp, a block and an SM touch of A and B at a time, to be held against the size of L1. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>

namespace viz {

// What is touched of A and B in global memory while one k-tile is worked on, in whole sectors. Of a kernel without tiles:
// while k goes through one sector of A, which is then used again.
struct WorkingSet {
    uint32_t k = 0;                                // how many values of k; 0: the stage has no k
    uint64_t warp = 0, block = 0;                  // bytes; of the warp that touches most
    uint64_t tiles = 0;                            // bytes of shared memory of the block, which L1 gives up
    uint32_t blocks = 0;                           // resident on an SM; 0: not known
    uint64_t sm() const { return block * blocks; } // at most: blocks may share sectors

    // Of the whole block's run, in sectors of A and B: as its requests ask for them one after another, and each once.
    uint64_t asked = 0, distinct = 0;
    // What L1 would have if nothing were evicted before it is used again, without what other blocks have asked for.
    double again() const { return asked > 0 ? 1 - static_cast<double>(distinct) / static_cast<double>(asked) : 0; }
};

// What became of what is asked for again, by the hit rate that was counted: of ten that could have been there, nine were.
enum class L1Reuse : uint8_t { nothing_again, kept, evicted };
L1Reuse reuse_in_l1(const WorkingSet& set, double hits);

// `first`: the block's first k; `tiles`: whether it keeps k-tiles in shared memory.
WorkingSet working_set(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t first,
                       bool tiles);

} // namespace viz
