// Computes the costs of square tiles of C in threads and shared memory, the loads that they save, and how many of their
// blocks an SM holds. Pure functions.
#pragma once

#include "viz/analysis/occupancy.h"
#include "viz/analysis/reuse.h"

#include "recording/recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace viz {

// The properties of a kernel that stay the same while its tile grows.
struct TileScheme {
    uint32_t results = 1; // per thread
    uint32_t k = 0;       // values of k in a tile; 0: as many as rows
    uint32_t buffers = 1; // tiles of A and of B that are in shared memory at once
    uint32_t element_bytes = 4;
    uint32_t registers = 0; // per thread; 0: not known, and then no limit
    friend bool operator==(const TileScheme&, const TileScheme&) = default;
};
// Returns the scheme of a recorded kernel. A kernel without shared tiles gets that of the simplest tiled kernel: one
// result per thread, and as many values of k as rows.
TileScheme tile_scheme(const recording::Recording& recording, const Reuse& reuse, uint32_t registers);

struct TileSize {
    uint32_t side = 0;         // rows and columns of C per block
    uint32_t threads = 0;      // per block
    uint32_t shared_bytes = 0; // per block
    double loads = 0;          // from global memory, per multiply-add
    double intensity = 0;      // FLOP per byte of global memory
    uint32_t blocks = 0;       // on an SM at once; 0 if it cannot be launched
    std::string limit;         // what allows no more blocks or forbids the launch: "registers", "shared memory"
};
// Returns the tiles with sides of 4, 8, ... 128.
std::vector<TileSize> tile_sizes(const SmLimits& limits, const TileScheme& scheme);

} // namespace viz
