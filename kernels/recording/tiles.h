// The shared tiles of a recording, and problem sizes that suit them. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace recording {

struct Tiles {
    uint32_t rows = 1, cols = 1, depth = 1; // of C and of a k-tile, in elements; 1 if no parameter gives it
};

Tiles tiles_named(const std::vector<Parameter>& parameters);

// Returns a size made of whole tiles. It has at least two tiles of C and at least 128 elements in each direction, and
// eight k-tiles, so that a ring of buffers wraps around.
Problem whole_problem(const Tiles& tiles);

// A size with whole tiles of all FP32 stages and of some others, for comparing stages whose own whole sizes differ.
inline constexpr Problem common_problem{.M = 256, .N = 512, .K = 256};

// Returns a size with the same number of tiles, in which the last tiles in each direction extend beyond C and K.
Problem ragged_problem(const Tiles& tiles);

// Gives each shared tile the number that it has in `arrays`. A block that processes several parts of its work in turn
// declares its tiles again for each part, and its probe keeps counting. In `arrays`, the shared arrays are consecutive.
void number_tiles(Recording& recording);

} // namespace recording
