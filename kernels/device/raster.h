// In which order the blocks of a grid take the tiles of C.
#pragma once

#include "device/platform.h"

struct Place { // of a tile of C: its first row and column
    int row, col;
};

// Blocks start in the order of their numbers. `group` rows of tiles are worked on together, column by column, so that
// the blocks that run at the same time share rows of A and columns of B in the L2 cache. group 1: row after row.
__device__ inline Place place_of_tile(int number, int rows, int cols, int BM, int BN, int group)
{
    const int first_row = number / (group * cols) * group;
    const int within = number % (group * cols);
    const int height = rows - first_row < group ? rows - first_row : group;
    return {(first_row + within % height) * BM, within / height * BN};
}

__device__ inline Place place_of_block(int BM, int BN, int group)
{
    const int rows = static_cast<int>(gridDim.y), cols = static_cast<int>(gridDim.x);
    return place_of_tile(static_cast<int>(blockIdx.y) * cols + static_cast<int>(blockIdx.x), rows, cols, BM, BN, group);
}
