// Divides the tiles of C among the blocks of a launch, and gives the position of each tile. These are the kernels' own
// functions (device/shares.h, device/raster.h), callable from the host. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace model {

// A range of k-tiles of one tile of C, summed by one block.
struct WorkShare {
    uint32_t block = 0;            // block number in the grid
    uint32_t tile = 0;             // tile number, in the order in which blocks take tiles
    uint32_t first = 0, count = 0; // range of k-tiles
    friend bool operator==(const WorkShare&, const WorkShare&) = default;
};

// Lists the shares block by block. If `wave` is 0, each tile has its own block. Otherwise, the tiles that remain after
// whole waves of `wave` blocks are split along K. `tiles` times `k_tiles` must be less than 2^31.
std::vector<WorkShare> work_split(uint32_t tiles, uint32_t k_tiles, uint32_t wave);

// Position in C, in tiles, of the tile with this number. Blocks work on `group` rows of tiles together.
struct TilePlace {
    uint32_t row = 0, col = 0;
};
TilePlace tile_place(uint32_t number, uint32_t rows, uint32_t cols, uint32_t group);

} // namespace model
