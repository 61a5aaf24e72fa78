// Tiles of C that several clusters split along K, see Shares. Each cluster stores its sums in a workspace, and a second
// kernel adds the parts of a tile in their order.
#pragma once

#include "device/cluster_work.h"
#include "device/sum_stores.h"

#ifdef __CUDACC__

// The workspace of a kernel with the parameters P. Each row holds four sums of each thread of a warpgroup; a warpgroup
// has P.BM / 8 rows.
template <auto P, class Probe>
class Parts {
public:
    __device__ Parts(const TmaGemm& gemm, Block<Probe>& block)
        : rows(gemm.workspace, 1 << 30, 512, 512, first_tile + 2 * P.STAGES + 1, block)
    {
    }

    // Stores the sums as the threads hold them. All threads of the warpgroup with the columns from `first_col` on must
    // call it. The second kernel's threads hold the same sums.
    template <int sums>
    __device__ void leave(const float (&sum)[sums], int slot, const ClusterWork<P>& work, int first_col,
                          int line = __builtin_LINE()) const
    {
#pragma unroll
        for (int i = 0; i < sums; i += 4)
            rows.store4(row_of(slot, work.rank, first_col / 64, i), threadIdx.x % 128 * 4,
                        {sum[i], sum[i + 1], sum[i + 2], sum[i + 3]}, line);
    }

    // Loads four of these sums, starting at `sum`.
    __device__ float4 four(int slot, int rank, int warpgroup, int sum, int line) const
    {
        return rows.load4(row_of(slot, rank, warpgroup, sum), threadIdx.x * 4, line);
    }

private:
    __device__ static int row_of(int slot, int rank, int warpgroup, int sum)
    {
        return ((slot * P.cluster() + rank) * P.consumers() + warpgroup) * (P.BM / 8) + sum / 4;
    }

    Matrix<float, Probe, Edges::inside> rows;
};

// The second kernel. A block of 128 threads adds 16 x 64 results: eight per thread of a warpgroup.
template <auto P, class Probe>
__device__ void add_up_parts(const TmaGemm& gemm, Block<Probe>& block, int line = __builtin_LINE())
{
    const ClusterWork<P> work(gemm);
    const Shares& shares = work.shares;
    const int warpgroup = blockIdx.x % P.consumers(), rank = blockIdx.x / P.consumers() % P.cluster();
    const int cut = blockIdx.y, row = blockIdx.x / (P.consumers() * P.cluster()) * 16;
    const int first = shares.cutter(cut, 0), last = shares.cutter(cut, work.phases - 1);
    if (first == last)
        return; // one cluster had the whole tile
    const Parts<P, Probe> parts(gemm, block);
    block.wait_for_first_kernel();
    float sum[8] = {};
#pragma unroll 8
    for (int i = first; i <= last; ++i) {
        const int slot = shares.slot(cut, i);
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            const float4 part = parts.four(slot, rank, warpgroup, row / 2 + j, line);
            sum[j] += part.x;
            sum[j + 1] += part.y;
            sum[j + 2] += part.z;
            sum[j + 3] += part.w;
        }
    }
    const Place place = work.place(shares.alone() + cut, rank);
    __shared__ TileStorage<patch_layout(4)> storage;
    const SharedTile<patch_layout(4), Probe> patch(storage, block);
    const auto stores = sum_stores<P.TYPE_C>(gemm, block, patch.part(col_of_warp(), 0));
    stores.template rows<16>(sum, {place.row + row, place.col + warpgroup * 64 + col_of_warp()}, line);
}

#endif
