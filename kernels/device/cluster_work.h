// How the tiles of C are divided among clusters of blocks.
//
// Smaller tiles need more bytes per result than L2 delivers, so the blocks of a cluster share copies. Blocks ABOVE each
// other need the same tile of B, and each copies a part of its rows to all; blocks BESIDE each other share A likewise.
// A tile may be overwritten when all their consumers have released it. With CUT=1, tiles that remain after whole waves
// are split along K, see Shares. With DEPTH above 1, the blocks of a cluster have one tile, and each sums a part of K.
#pragma once

#include "device/raster.h"
#include "device/shares.h"
#ifdef __CUDACC__
#include "device/hopper.h"
#endif

// Blocks of a cluster that need the same tile: this block's index among them, and a bit mask of all.
struct Sharers {
    int mine;
    unsigned blocks;
};

// Returns the wave in clusters if tiles are split along K (see Shares), otherwise 0.
template <class Parameters>
__host__ __device__ constexpr int wave_of(const Parameters& p)
{
    return p.CUT ? p.clusters() : 0;
}

#ifdef __CUDACC__

// The work of a kernel with the parameters P, and this block's part of it.
template <auto P>
struct ClusterWork {
    template <class Gemm>
    __device__ explicit ClusterWork(const Gemm& gemm)
        : rows(ceil_div(gemm.M, P.rows())), cols(ceil_div(gemm.N, P.cols())), phases(ceil_div(gemm.K, P.BK)),
          shares(rows * cols, phases, wave_of(P)), rank(blockIdx.x % P.cluster())
    {
    }

    // Returns where this block's tile begins, for the given rank in the cluster; ranks go row by row.
    __device__ Place place(int tile, int rank) const
    {
        const Place first = place_of_tile(tile, rows, cols, P.rows(), P.cols(), P.GROUP);
        return {first.row + rank / P.BESIDE * P.BM, first.col + rank % P.BESIDE * P.BN};
    }

    // Processes all shares of this block in turn: compute(share, place of its tile).
    template <class Function>
    __device__ void for_each_share(const Function& compute) const
    {
        const int clusters = gridDim.x / P.cluster();
        for (int number = blockIdx.x / P.cluster(); number < shares.blocks(); number += clusters)
            for (int part = 0; part < (P.CUT ? 2 : 1); ++part)
                if (const Share share = shares.part(number, part); share.phases > 0)
                    compute(own(share), place(share.tile, P.DEPTH > 1 ? 0 : rank));
    }

    // Call it before the first copy: blocks that share copies need each other's barriers. Blocks that share a tile only
    // announce that they have started, and wait before they send each other sums.
    template <class Probe>
    __device__ void meet(Block<Probe>& block, int line = __builtin_LINE()) const
    {
        if (P.cluster() > 1)
            ptx::cluster_arrive();
        if (P.sharing() > 1)
            ptx::cluster_wait();
        else
            block.sync(line);
    }

    // The blocks beside each other need the same tile of A, those above each other the same tile of B.
    __device__ Sharers beside() const
    {
        return {rank % P.BESIDE, ((1u << P.BESIDE) - 1) << rank / P.BESIDE * P.BESIDE};
    }
    __device__ Sharers above() const
    {
        constexpr unsigned first_column = ((1u << P.cluster()) - 1) / ((1u << P.BESIDE) - 1);
        return {rank / P.BESIDE, first_column << rank % P.BESIDE};
    }

    // Returns this block's part of a share, among the blocks that share a tile.
    __device__ Share own(Share share) const
    {
        if (P.DEPTH == 1)
            return share;
        const int first = share.phases * rank / P.DEPTH, end = share.phases * (rank + 1) / P.DEPTH;
        return {share.tile, first, end - first, -1};
    }

    int rows, cols, phases; // counts of tiles; phases of K
    Shares shares;
    int rank; // of this block in its cluster, row by row
};

#endif
