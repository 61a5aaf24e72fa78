// How the tiles of C are divided among the blocks of a grid so that no SM is idle.
#pragma once

#include "device/gemm.h"

// A unit of a block's work: some phases of one tile of C.
struct Share {
    int tile = 0;
    int first = 0, phases = 0; // phases of K
    int slot = -1;             // where its sums go in the workspace; -1: all phases, so the result goes to C
};

// With `wave` 0, each block computes one tile. Otherwise tiles are distributed in whole waves of `wave` blocks. The
// remaining tiles, fewer than a wave, are split along K into shares of equal length for one more wave (stream-K). Such
// a share ends inside a tile and can extend into the next: it has at most two parts. A second kernel adds the parts of
// a tile, in their order.
class Shares {
public:
    // tiles: of C; phases: of K per tile.
    __host__ __device__ constexpr Shares(int tiles, int phases, int wave) : tiles(tiles), phases(phases), wave(wave) {}

    __host__ __device__ constexpr int alone() const // tiles with a block each
    {
        const bool can_cut = wave > 0 && phases < 0x7fffffff / wave; // the phases can be counted
        return can_cut ? tiles / wave * wave : tiles;
    }
    __host__ __device__ constexpr int cut() const { return tiles - alone(); }

    // Returns the number of blocks that share the split tiles. It is less than the wave for short products: with less
    // than `least` phases each, adding the parts would take longer than multiplying.
    __host__ __device__ constexpr int cutters() const
    {
        constexpr int least = 4;
        const int most = units() / least > cut() ? units() / least : cut();
        return most < wave ? most : wave;
    }
    __host__ __device__ constexpr int blocks() const { return alone() + (cut() > 0 ? cutters() : 0); }
    __host__ __device__ constexpr int slots() const { return cut() > 0 ? 2 * cutters() : 0; }

    // Returns the n-th part of a block's work; it has no phases if there is no such part.
    __device__ Share part(int block, int n) const
    {
        if (block < alone())
            return {block, 0, n == 0 ? phases : 0, -1};
        const int i = block - alone();
        int from = begin(i), to = begin(i + 1);
        const int edge = (from / phases + 1) * phases; // start of the next tile
        if (n == 0)
            to = to < edge ? to : edge;
        else
            from = edge;
        if (n > 1 || from >= to)
            return {};
        const int tile = from / phases, count = to - from;
        return {alone() + tile, from - tile * phases, count, count == phases ? -1 : 2 * i + n};
    }

    // Returns which of these blocks has this phase of split tile `n`.
    __device__ int cutter(int n, int phase) const
    {
        const int unit = n * phases + phase, length = units() / cutters(), longer = units() % cutters();
        const int shorter_from = longer * (length + 1);
        return unit < shorter_from ? unit / (length + 1) : longer + (unit - shorter_from) / length;
    }
    // Returns the slot where block `i` stores its sums of split tile `n`.
    __device__ int slot(int n, int i) const { return 2 * i + (begin(i) < n * phases ? 1 : 0); }

private:
    __host__ __device__ constexpr int units() const { return cut() * phases; } // phases to distribute
    // Returns where the share of block i begins and that of block i - 1 ends. The first shares are one phase longer.
    __device__ int begin(int i) const
    {
        const int longer = units() % cutters();
        return units() / cutters() * i + (i < longer ? i : longer);
    }

    int tiles, phases, wave;
};
