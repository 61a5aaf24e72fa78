// The order in which the blocks of a grid take the tiles of C.
#pragma once

#include "device/platform.h"

struct Place { // the first row and column of a tile of C
    int row, col;
};

// Blocks start in the order of their numbers. `group` rows of tiles are processed together, column by column, so that
// blocks running at the same time share rows of A and columns of B in L2. With group 1: row by row.
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
