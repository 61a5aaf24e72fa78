// Layouts of a tile in shared memory: the index, in elements, of element (row, col) of rows x cols. A layout is a
// compile-time value. Stores and loads use the same one, so a layout can be exchanged without touching the kernel body,
// and the host calls the same functions to locate an element.
#pragma once

#include "device/platform.h"

// Row by row. Two rows whose distance is a multiple of 32 floats use the same banks.
struct RowMajor {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const { return row * cols + col; }
};

// `pad` unused floats after each row shift the next row to other banks. 16-byte accesses need a pad that is a multiple
// of 4; any other padding splits them.
struct Padded {
    int rows, cols, pad;
    __host__ __device__ constexpr int size() const { return rows * (cols + pad); }
    __host__ __device__ constexpr int index(int row, int col) const { return row * (cols + pad) + col; }
};

// XOR swizzle for a tile of which 8 neighboring rows are read at once, one chunk of each, as ldmatrix does.
// `chunk` elements stay together. Within a line of 128 bytes, or within a longer row, the chunks of each row
// are permuted depending on the row's number, so that 8 rows use all banks. cols must be a power of two of
// chunks.
struct SwizzledChunks {
    int rows, cols, chunk;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        const int chunks = cols / chunk;
        const int key = chunks >= 8 ? row % 8 : row / (8 / chunks) % chunks;
        return row * cols + (col ^ (key * chunk));
    }
};

// The layout that the tensor memory accelerator gives a tile of 16-bit elements whose rows are longer than
// 128 bytes: consecutive slabs of 64 columns, each swizzled like SwizzledChunks. cols must be a multiple of
// 64.
struct SwizzledSlabs {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        return col / 64 * rows * 64 + row * 64 + (col % 64 ^ row % 8 * 8);
    }
};
