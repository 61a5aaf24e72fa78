// The blocks of a launch as a grid, in the order of the tiles of C that they compute where that is known. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/placement.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>

namespace viz {

// x to the right and y downwards, or the other way round where blocks lie so in C. Blocks along z share a place: they
// compute parts of the same sums. A grid of one row is wrapped.
struct BlockGrid {
    recording::Index3 grid{1, 1, 1};
    uint32_t rows = 1, cols = 1, parts = 1;
    bool turned = false; // x downwards
    bool as_in_c = false;

    Cell place(uint32_t block) const;
    std::optional<uint32_t> block_at(Cell place, uint32_t part) const;
};

// `owners`: a recording of the same stage, perhaps of another size, whose owners of C are known; may be null.
BlockGrid block_grid(const recording::Launch& launch, const recording::Recording* owners);

enum class BlockState : uint8_t { waiting, running, done };
BlockState state_at(const PlacedBlock& block, double ns);

} // namespace viz
