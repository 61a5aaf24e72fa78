// swizzled_reads_indexed: vectorized with each thread reading its fragments in an order of its own, put where they belong.
//
// Idea: if the lanes of a warp read their columns of B in different orders, simultaneous requests may spread over the
// banks. Each thread XORs the element's index with its own key, and puts the value it reads in the element's position
// in the fragment, so that the code that follows does not depend on the order.
//
// Was slow: the conflicts of vectorized.
//
// Look at: where the fragments are. Registers have no address. An array whose index is unknown to the compiler, because
// it differs by thread, cannot be in registers: it becomes local memory, which is global memory behind L1, and each k
// of the innermost loop stores and loads it. `gemmscope code swizzled_reads_indexed` names the instructions (LDL, STL).
// The XOR by single elements also costs the 16-byte reads.
//
// The kernel that was called a disaster has 16-byte reads, KEY = 2 and &b[j ^ flip] (swizzled_reads): no conflict of B's reads, and
// 15.6 TFLOPS at 4096^3 on an H100, vectorized 37.7 (2026-11-27): of two places NVRTC 13.0 makes moves, in 180 registers a thread.
//
// Loads per result: K/64 from global memory, K/4 values from shared memory one by one, and the fragments from local memory.
//
// On an H200: 6.5 TFLOPS at 4096^3, swizzled_reads 36.7 (2026-11-23).
//
// Still slow: all of it. swizzled_reads keeps the order in which the fragments were read, and stores the results in that order.

#include "stages/15_swizzled_reads.cu"

namespace swizzled_reads_indexed {

using swizzled_reads::Parameters;

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) swizzled_reads_indexed(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<vectorized::layout_a(P.tiles())> a_tile;
    __shared__ TileStorage<vectorized::layout_b(P.tiles())> b_tile;
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
        const int key = thread >> P.KEY & 7; // the key that a thread XORs with its element indices, of A and of B

        TilePart<P.BM, P.BK, P.threads()> a_part; // fetched as in vectorized
        TilePart<P.BK, P.BN, P.threads()> b_part;
        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            a_part.load(A, block_row, k0); // all loads first, so that they are in flight together
            b_part.load(B, k0, block_col);
            a_part.store_transposed(As);
            b_part.store(Bs);
            block.sync();

#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.TM], b[P.TN]; // the index differs by thread
                for (int i = 0; i < P.TM; ++i)
                    a[i ^ key] = As(k, thread_row + (i ^ key));
                for (int j = 0; j < P.TN; ++j)
                    b[j ^ key] = Bs(k, thread_col + (j ^ key));
                add_outer_product(sum, a, b);
            }
            block.sync();
        }
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + i, block_col + thread_col + j};
        });
    });
}

} // namespace swizzled_reads_indexed

#ifndef __CUDACC__ // what the host needs to know
namespace swizzled_reads_indexed {

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "swizzled_reads_indexed",
        .idea = "fragments indexed by the thread's number: registers become local memory",
        .builds_on = "swizzled_reads",
        .parameters = thread_tile_fields<Parameters>(
            {{"KEY", &Parameters::KEY, "first of three bits of the thread's number that decide on the order"}}),
        .variants = swizzled_reads::variants,
        .refusal = swizzled_reads::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<swizzled_reads::variants>(
            []<Parameters P, class Probe>() { return &swizzled_reads_indexed<P, Probe>; }),
        .tiles =
            [](Parameters p) {
                return std::vector{tile("As", vectorized::layout_a(p.tiles())),
                                   tile("Bs", vectorized::layout_b(p.tiles()))};
            },
        .tiny = Tiny<Parameters>{swizzled_reads::tiny, 16, 16, 8, swizzled_reads::limit_of_chunks},
    };
}

} // namespace swizzled_reads_indexed
#endif
