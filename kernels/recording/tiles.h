// The tiles that a kernel's parameters name, and the sizes at which a recording of it tells of the kernel and not of the edges
// of C. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace recording {

struct Tiles {
    uint32_t rows = 1, cols = 1, depth = 1; // of C, and of a k-tile, in elements; 1: no parameter names it
};

Tiles tiles_named(const std::vector<Parameter>& parameters);

// At least two tiles of C each way and eight k-tiles, so that a ring of buffers goes round; at least 128 each way. Only whole
// tiles.
Problem whole_problem(const Tiles& tiles);

// The same number of tiles, of which the last ones each way reach beyond C and K.
Problem ragged_problem(const Tiles& tiles);

} // namespace recording
