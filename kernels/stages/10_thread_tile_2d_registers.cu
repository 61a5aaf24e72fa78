// thread_tile_2d_registers: each thread computes 8 x 8 results from fragments of A and B that it copies to registers.
//
// Idea: for every k a thread copies its 8 values of A and 8 of B to registers and then forms their outer product: 64
// multiplications from 16 loads, where thread_tile_1d has 8 from 9.
//
// Was slow: nothing that this stage changes. It states what thread_tile_2d left to the compiler, so that the following
// stages can state more: how wide each of these loads is, and in which order they happen.
//
// Look at: the two short loops that load, the square loop that multiplies. Without the copies, as in thread_tile_2d,
// the kernel ran at the same 25.3 TFLOPS on an H200 (4096^3, 2026-11-22): the compiler makes them by itself.
//
// Loads per result: K/64 from global memory; from shared memory (8 + 8)K/64 = K/4. Intensity at global memory: 32 FLOP per
// byte.
//
// Still slow: 4 bytes per access, and a thread's eight columns are adjacent: lanes step by 8 floats, and the reads of B
// conflict. On an H200 the pipeline to shared memory is busy for 85 % of the time, the multipliers for 43 %. vectorized
// moves 16 bytes per access.

#include "stages/09_thread_tile_2d.cu"

namespace thread_tile_2d_registers {

using thread_tile_2d::layout_a;
using thread_tile_2d::layout_b;
using thread_tile_2d::Parameters;

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) thread_tile_2d_registers(Gemm gemm, Probe probe)
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

        TilePart<P.BM, P.BK, P.threads(), 1> a_part; // fetched as in thread_tile_1d
        TilePart<P.BK, P.BN, P.threads(), 1> b_part;
        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            a_part.load(A, block_row, k0); // all loads first, so that they are in flight together
            b_part.load(B, k0, block_col);
            a_part.store(As);
            b_part.store(Bs);
            block.sync();

            for (int k = 0; k < P.BK; ++k) {
                float a[P.TM], b[P.TN];
                for (int i = 0; i < P.TM; ++i)
                    a[i] = As(thread_row + i, k);
                for (int j = 0; j < P.TN; ++j)
                    b[j] = Bs(k, thread_col + j);
                for (int i = 0; i < P.TM; ++i)
                    for (int j = 0; j < P.TN; ++j)
                        sum[i][j] += a[i] * b[j];
            }
            block.sync();
        }
        store_results<1>(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + i, block_col + thread_col + j};
        });
    });
}

} // namespace thread_tile_2d_registers

#ifndef __CUDACC__ // what the host needs to know
namespace thread_tile_2d_registers {

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "thread_tile_2d_registers",
        .idea = "8 x 8 results per thread: fragments of A and B in registers",
        .builds_on = "thread_tile_2d",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = thread_tile_2d::variants,
        .refusal = thread_tile_2d::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<thread_tile_2d::variants>(
            []<Parameters P, class Probe>() { return &thread_tile_2d_registers<P, Probe>; }),
        .tiles = two_tiles<layout_a, layout_b>,
        .tiny = Tiny<Parameters>{thread_tile_2d::tiny, 8, 8, 4},
    };
}

} // namespace thread_tile_2d_registers
#endif
