// Layouts of a tile in shared memory: where element (row, col) of rows x cols lies, as an index in elements.
// A layout is a value known at compile time. The same one serves the store and the load, so that a layout can be
// exchanged without touching the kernel body, and the host asks the same functions where an element is.
#pragma once

#include "device/platform.h"

// Row after row. Two rows that lie a multiple of 32 floats apart use the same banks.
struct RowMajor {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const { return row * cols + col; }
};

// `pad` unused floats after each row move the next row to other banks. A 16-byte access needs pad to be a multiple
// of 4; any other padding tears it apart.
struct Padded {
    int rows, cols, pad;
    __host__ __device__ constexpr int size() const { return rows * (cols + pad); }
    __host__ __device__ constexpr int index(int row, int col) const { return row * (cols + pad) + col; }
};

// XOR swizzle for a tile of which 8 neighbouring rows are read at once, one chunk of each, as ldmatrix does. `chunk`
// elements stay together. Within a line of 128 bytes, or within a row that is longer, the chunks of each row change places
// as the row's number says, so that 8 rows meet all the banks.
// cols: a power of two of chunks.
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

// How the tensor memory accelerator lays down a tile of 16-bit elements whose rows are longer than 128 bytes: slabs of 64
// columns one after another, each swizzled as SwizzledChunks.
// cols: a multiple of 64.
struct SwizzledSlabs {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        return col / 64 * rows * 64 + row * 64 + (col % 64 ^ row % 8 * 8);
    }
};
