// How the tiles of C are shared out among the blocks of a launch, and where the tiles lie: the functions that kernels ask
// themselves (device/shares.h, device/raster.h), for the host. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace model {

// Some k-tiles of one tile of C, added up by one block.
struct WorkShare {
    uint32_t block = 0;            // its number in the grid
    uint32_t tile = 0;             // its number in the order in which blocks take tiles
    uint32_t first = 0, count = 0; // k-tiles
    friend bool operator==(const WorkShare&, const WorkShare&) = default;
};

// Block after block. With `wave` 0 each tile has a block; else the tiles that are left after whole waves of so many blocks
// are cut along K. `tiles` times `k_tiles` must be less than 2^31.
std::vector<WorkShare> shared_out(uint32_t tiles, uint32_t k_tiles, uint32_t wave);

// Where the tile of that number lies in C, counted in tiles: `group` rows of tiles are worked on together.
struct TilePlace {
    uint32_t row = 0, col = 0;
};
TilePlace tile_place(uint32_t number, uint32_t rows, uint32_t cols, uint32_t group);

} // namespace model
