// The shared tiles of a recording and the sizes of problems that suit them. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace recording {

// Tile sizes from a kernel's parameters, and problem sizes that suit a recording. Pure functions.
struct Tiles {
    uint32_t rows = 1, cols = 1, depth = 1; // of C, and of a k-tile, in elements; 1: no parameter names it
};

Tiles tiles_named(const std::vector<Parameter>& parameters);

// Returns a size made of whole tiles: at least two tiles of C in each direction, at least 128 elements in each
// direction, and eight k-tiles, so that a ring of buffers wraps around.
Problem whole_problem(const Tiles& tiles);

// A size that has whole tiles of all stages in FP32, and some of the others: for stages that are compared although
// their own whole sizes differ.
inline constexpr Problem common_problem{.M = 256, .N = 512, .K = 256};

// Returns a size with the same number of tiles, in which the last tiles in each direction extend beyond C and K.
Problem ragged_problem(const Tiles& tiles);

// Renumbers the shared tiles in a recorded trace.

// A block that processes several parts of its work in turn declares its tiles again for each part, and its probe keeps
// counting. They are the same tiles: this gives each the number that it has in `arrays`, where the shared arrays are
// consecutive.
void number_tiles(Recording& recording);

} // namespace recording
