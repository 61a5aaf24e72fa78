// Operations on a thread's tile of results in registers; thread_tile_2d_registers and vectorized show the code in full.
// A recording shows the accesses at the line in the kernel that calls these functions.
#pragma once

#include "device/gemm.h"
#include "device/raster.h"

// sum += a * b, every a with every b.
template <int rows, int cols>
__device__ void add_outer_product(float (&sum)[rows][cols], const float (&a)[rows], const float (&b)[cols])
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            sum[i][j] += a[i] * b[j];
}

// Stores four neighbors in a row of `sum` at a time (16 bytes), or one. place(i, j) is the position of sum[i][j] in C.
template <int width = 4, class Matrix, int rows, int cols, class PlaceOf>
__device__ void store_results(const Gemm& gemm, const Matrix& C, const float (&sum)[rows][cols], const PlaceOf& place,
                              int line = __builtin_LINE())
{
#pragma unroll // registers cannot be indexed: an indexed `sum` would move to memory
    for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int j = 0; j < cols; j += width) {
            const Place to = place(i, j);
            if constexpr (width == 4)
                gemm.store4(C, to.row, to.col, &sum[i][j], line);
            else
                gemm.store(C, to.row, to.col, sum[i][j], line);
        }
    }
}
