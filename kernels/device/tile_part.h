// Copies a tile from global to shared memory; thread_tile_1d shows the code in full for single elements, vectorized for
// accesses of 16 bytes. A recording shows the accesses at the line in the kernel that calls these functions.
#pragma once

#include "device/views.h"

template <int width>
struct Piece {
    using type = float4;
};
template <>
struct Piece<1> {
    using type = float;
};

// One thread's part of a tile of rows x cols elements, in registers: all loads are in flight together before the first
// store. A piece is `width` neighbors in a row: 16 bytes or a single float. `threads` threads take the pieces in turn,
// row by row, and the same number each.
template <int rows, int cols, int threads, int width = 4>
class TilePart {
    static constexpr int pieces = rows * cols / width / threads; // per thread
    static_assert(pieces * threads * width == rows * cols);

public:
    // `number` is the index of this thread among those that share the tile.
    __device__ explicit TilePart(int number = static_cast<int>(threadIdx.x)) : number(number) {}

    // Loads from a matrix whose element (row, col) is the tile's first.
    template <class Matrix>
    __device__ void load(const Matrix& from, int row, int col, int line = __builtin_LINE())
    {
        for (int n = 0; n < pieces; ++n) {
            if constexpr (width == 1)
                piece[n] = from(row + row_of(n), col + col_of(n), line);
            else
                piece[n] = from.load4(row + row_of(n), col + col_of(n), line);
        }
    }

    // Makes four loads of 4 bytes instead of each load of 16 bytes.
    template <class Matrix>
    __device__ void load_singly(const Matrix& from, int row, int col, int line = __builtin_LINE())
    {
        for (int n = 0; n < pieces; ++n) {
            const int r = row + row_of(n), c = col + col_of(n);
            piece[n] = {from(r, c, line), from(r, c + 1, line), from(r, c + 2, line), from(r, c + 3, line)};
        }
    }

    template <class Tile>
    __device__ void store(const Tile& to, int line = __builtin_LINE()) const
    {
        for (int n = 0; n < pieces; ++n) {
            if constexpr (width == 1)
                to.store(row_of(n), col_of(n), piece[n], line);
            else
                to.store4(row_of(n), col_of(n), piece[n], line);
        }
    }

    // Stores single elements, to the same positions or transposed, if 16 bytes do not stay together.
    template <class Tile>
    __device__ void store_singly(const Tile& to, int line = __builtin_LINE()) const
    {
        for (int n = 0; n < pieces; ++n) {
            const int row = row_of(n), col = col_of(n);
            to.store(row, col, piece[n].x, line);
            to.store(row, col + 1, piece[n].y, line);
            to.store(row, col + 2, piece[n].z, line);
            to.store(row, col + 3, piece[n].w, line);
        }
    }
    template <class Tile>
    __device__ void store_transposed(const Tile& to, int line = __builtin_LINE()) const
    {
        for (int n = 0; n < pieces; ++n) {
            const int row = row_of(n), col = col_of(n);
            to.store(col, row, piece[n].x, line);
            to.store(col + 1, row, piece[n].y, line);
            to.store(col + 2, row, piece[n].z, line);
            to.store(col + 3, row, piece[n].w, line);
        }
    }

    // For a thread that walks along its own pieces, as in warp_tile: the matrix from this thread's first piece on. It
    // is advanced from tile to tile, so only steps from row to row remain to be added to its address.
    template <class Matrix>
    __device__ Matrix first_of(const Matrix& matrix, int row, int col) const
    {
        return matrix.part(row + row_of(0), col + col_of(0));
    }
    template <class Matrix>
    __device__ void load(const Matrix& from_first, int line = __builtin_LINE())
    {
        static_assert(threads % (cols / width) == 0, "its pieces lie one below another");
        for (int n = 0; n < pieces; ++n)
            piece[n] = from_first.load4(n * (threads / (cols / width)), 0, line);
    }

private:
    // Position of its piece n in the tile.
    __device__ int row_of(int n) const { return (number + n * threads) / (cols / width); }
    __device__ int col_of(int n) const { return (number + n * threads) % (cols / width) * width; }

    int number;
    typename Piece<width>::type piece[pieces];
};
