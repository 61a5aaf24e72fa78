// How the tiles of C are shared out among the blocks of a grid, so that no SM waits for another.
#pragma once

#include "device/gemm.h"

// What a block adds up at a time: some phases of one tile of C.
struct Share {
    int tile = 0;
    int first = 0, phases = 0; // of K
    int slot = -1;             // where its sums go, in the workspace; -1: all phases, so the result goes to C
};

// With `wave` 0 a block computes a tile. Else tiles are dealt out in whole waves of so many blocks, and the tiles that are
// left, fewer than a wave, are cut along K into shares of equal length for one wave more (stream-K). Such a share ends
// inside of a tile, and can reach over into the next: two parts at most. A second kernel adds up the parts of a tile, in
// their order.
class Shares {
public:
    // Of C; of K per tile.
    __host__ __device__ constexpr Shares(int tiles, int phases, int wave) : tiles(tiles), phases(phases), wave(wave) {}

    __host__ __device__ constexpr int alone() const // tiles with a block each
    {
        const bool can_cut = wave > 0 && phases < 0x7fffffff / wave; // they can be counted
        return can_cut ? tiles / wave * wave : tiles;
    }
    __host__ __device__ constexpr int cut() const { return tiles - alone(); }

    // The blocks that share the cut tiles. Of short products fewer than the wave: with less than `least` phases each, adding
    // up would take longer than multiplying.
    __host__ __device__ constexpr int cutters() const
    {
        constexpr int least = 4;
        const int most = units() / least > cut() ? units() / least : cut();
        return most < wave ? most : wave;
    }
    __host__ __device__ constexpr int blocks() const { return alone() + (cut() > 0 ? cutters() : 0); }
    __host__ __device__ constexpr int slots() const { return cut() > 0 ? 2 * cutters() : 0; }

    // The n-th part of a block's work; without phases where there is none.
    __device__ Share part(int block, int n) const
    {
        if (block < alone())
            return {block, 0, n == 0 ? phases : 0, -1};
        const int i = block - alone();
        int from = begin(i), to = begin(i + 1);
        const int edge = (from / phases + 1) * phases; // where the next tile begins
        if (n == 0)
            to = to < edge ? to : edge;
        else
            from = edge;
        if (n > 1 || from >= to)
            return {};
        const int tile = from / phases, count = to - from;
        return {alone() + tile, from - tile * phases, count, count == phases ? -1 : 2 * i + n};
    }

    // Which of the cutters has that phase of cut tile `n`.
    __device__ int cutter(int n, int phase) const
    {
        const int unit = n * phases + phase, length = units() / cutters(), longer = units() % cutters();
        const int shorter_from = longer * (length + 1);
        return unit < shorter_from ? unit / (length + 1) : longer + (unit - shorter_from) / length;
    }
    // The slot where cutter `i` leaves its sums of cut tile `n`.
    __device__ int slot(int n, int i) const { return 2 * i + (begin(i) < n * phases ? 1 : 0); }

private:
    __host__ __device__ constexpr int units() const { return cut() * phases; } // phases to share out
    // Where the share of cutter i begins; that of the next is where it ends. The first ones are one phase longer.
    __device__ int begin(int i) const
    {
        const int longer = units() % cutters();
        return units() / cutters() * i + (i < longer ? i : longer);
    }

    int tiles, phases, wave;
};
