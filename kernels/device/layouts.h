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

// XOR swizzle for a tile whose stores run down the rows: a warp stores rows/4 rows that are four apart, 128/rows columns
// of each, and every fourth row goes 128/rows banks further. With 8 rows: rows 4-7 flip bit 4 of the column.
// Flipping no bit below 2 keeps each group of 4 floats together, so 16-byte accesses stay whole.
// rows: 4, 8, 16 or 32; cols: a multiple of 32.
struct SwizzledByRow {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        return row * cols + (col ^ (row / 4 * (128 / rows)));
    }
};

// XOR swizzle for a tile whose reads run along a row in steps of two 16-byte chunks: in every second group of eight
// chunks the neighbours change places, so that lanes 0-7 meet all eight bank groups instead of four of them twice.
// cols: a multiple of 8.
struct SwizzledByChunk {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        const int chunk = col / 4;
        return row * cols + (chunk ^ ((chunk >> 3) & 1)) * 4 + col % 4;
    }
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
