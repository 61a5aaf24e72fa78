// vectorized_scalar_loads: vectorized with four loads of 4 bytes from global memory instead of one of 16.
//
// Idea: each thread fetches the very same elements of A and B and stores them in the same way; only the width of a load
// from global memory differs. The difference in speed shows the effect of the width alone.
//
// Was slow: nothing that this stage fixes. It takes a step back from vectorized.
//
// Look at: four requests where vectorized has one, for the same bytes. Each of them touches every fourth word of its
// sectors, so the same sectors are requested four times, and L1 answers three of these. Instructions: four loads, four
// addresses.
//
// Loads per result: K/64 values from global memory, as in vectorized, but in K/64 loads instead of K/256. Shared memory
// and intensity: as vectorized.
//
// On an H200: 31.4 TFLOPS at 4096^3, vectorized 37.4 (2026-11-23).
//
// Still slow: the conflicts of vectorized, and four times its requests.

#include "device/thread_tile.h"
#include "device/tile_part.h"
#include "stages/11_vectorized.cu"

namespace vectorized_scalar_loads {

using vectorized::layout_a;
using vectorized::layout_b;
using vectorized::Parameters;

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) vectorized_scalar_loads(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout_a(P)> a_tile;
    __shared__ TileStorage<layout_b(P)> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const int thread_row = thread / (P.BN / P.TN) * P.TM; // of this thread's results, in the block tile
        const int thread_col = thread % (P.BN / P.TN) * P.TN;

        TilePart<P.BM, P.BK, P.threads()> a_part;
        TilePart<P.BK, P.BN, P.threads()> b_part;
        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            a_part.load_singly(A, block_row, k0);
            b_part.load_singly(B, k0, block_col);
            a_part.store_transposed(As);
            b_part.store(Bs);
            block.sync();

#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.TM], b[P.TN];
                for (int i = 0; i < P.TM; i += 4)
                    unpack(As.load4(k, thread_row + i), &a[i]);
                for (int j = 0; j < P.TN; j += 4)
                    unpack(Bs.load4(k, thread_col + j), &b[j]);
                add_outer_product(sum, a, b);
            }
            block.sync();
        }
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + i, block_col + thread_col + j};
        });
    });
}

} // namespace vectorized_scalar_loads

#ifndef __CUDACC__ // what the host needs to know
namespace vectorized_scalar_loads {

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "vectorized_scalar_loads",
        .idea = "vectorized with four loads of 4 bytes from global memory instead of one of 16",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = vectorized::variants,
        .refusal = vectorized::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<vectorized::variants>(
            []<Parameters P, class Probe>() { return &vectorized_scalar_loads<P, Probe>; }),
        .tiles = two_tiles<layout_a, layout_b>,
        .tiny = Tiny<Parameters>{vectorized::tiny, 16, 16, 8, vectorized::limit_of_width},
    };
}

} // namespace vectorized_scalar_loads
#endif
