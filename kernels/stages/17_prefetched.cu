// prefetched: swizzled, with the next tile in flight while this one is multiplied.
//
// Idea: a thread loads its part of the next tile before it multiplies, and stores it to shared memory afterwards, so
// that the loads overlap the arithmetic. The shared tiles exist twice: one is read while the other is filled. The same
// is done one level up: the fragments exist twice too, and those of k + 1 are read while those of k are multiplied.
//
// What was slow in swizzled: no thread computed while a tile was fetched, and each phase had two barriers.
//
// Look at: the order of the accesses of a phase: global loads first, then all reads of shared memory, then the stores
// to the other tile, then the only barrier. One is enough: a slow warp never reads the tile that a fast warp writes.
//
// Loads per result: as swizzled, K/64 from global memory, K/16 16-byte loads from shared memory; intensity 32 FLOP per
// byte. Prefetching moves the same bytes, but at another time.
//
// On an H200: 42.7 TFLOPS at 4096^3, swizzled 41.2; at 1024^3, where an SM has one block, 19.0 and 16.0 (2026-11-22).
//
// Price: shared memory doubles to 16 KiB, and a thread keeps 8 floats of the next tile and 16 of the next fragments in
// registers beside its 64 sums. With more blocks per SM, other blocks' arithmetic hides the same loads, so the gain is
// largest where few blocks fit.
//
// Still slow: the detour through registers. async_copy sends the data straight to shared memory.

#include "device/thread_tile.h"
#include "device/tile_part.h"
#include "stages/16_swizzled.cu"

namespace prefetched {

using swizzled::swizzled_a;
using swizzled::swizzled_b;
using vectorized::Parameters;

// The values that a thread multiplies for one k.
template <Parameters P>
struct Fragments {
    float a[P.TM], b[P.TN];

    template <class TileA, class TileB>
    __device__ void read(const TileA& As, const TileB& Bs, int k, int thread_row, int thread_col)
    {
        for (int i = 0; i < P.TM; i += 4)
            unpack(As.load4(k, thread_row + i), &a[i]);
        for (int j = 0; j < P.TN; j += 4)
            unpack(Bs.load4(k, thread_col + j), &b[j]);
    }
};

// Blocks per SM for which the compiler must leave registers: 128 per thread with the default parameters.
__host__ __device__ constexpr int blocks_per_sm(Parameters p)
{
    return p.threads() < 512 ? 512 / p.threads() : 1;
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads(), blocks_per_sm(P)) prefetched(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<swizzled_a(P)> a_tiles[2];
    __shared__ TileStorage<swizzled_b(P)> b_tiles[2];
    const SharedRing As(a_tiles, block);
    const SharedRing Bs(b_tiles, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const int thread_row = thread / (P.BN / P.TN) * P.TM; // of this thread's results, in the block tile
        const int thread_col = thread % (P.BN / P.TN) * P.TN;

        float sum[P.TM][P.TN] = {};
        TilePart<P.BM, P.BK, P.threads()> a_part; // on its way through registers
        TilePart<P.BK, P.BN, P.threads()> b_part;
        a_part.load(A, block_row, 0);
        b_part.load(B, 0, block_col);
        a_part.store_transposed(As[0]);
        b_part.store(Bs[0]);
        block.sync();

        int current = 0; // index of the tile to multiply
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            const bool more = k0 + P.BK < gemm.K; // the same for all threads
            if (more) {
                a_part.load(A, block_row, k0 + P.BK);
                b_part.load(B, k0 + P.BK, block_col);
            }

            Fragments<P> fragments[2];
            fragments[0].read(As[current], Bs[current], 0, thread_row, thread_col);
#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                if (k + 1 < P.BK)
                    fragments[(k + 1) % 2].read(As[current], Bs[current], k + 1, thread_row, thread_col);
                add_outer_product(sum, fragments[k % 2].a, fragments[k % 2].b);
            }

            current = 1 - current;
            if (more) {
                a_part.store_transposed(As[current]);
                b_part.store(Bs[current]);
                block.sync();
            }
        }
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + i, block_col + thread_col + j};
        });
    });
}

} // namespace prefetched

#ifndef __CUDACC__ // what the host needs to know
namespace prefetched {

inline std::string refusal(Parameters p)
{
    if (const std::string why = swizzled::refusal(p); !why.empty())
        return why;
    return refusal_of_shared(2 * bytes_of(swizzled_a(p), swizzled_b(p)), "2*BK*(BM+BN)");
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "prefetched",
        .idea = "swizzled, with the next tile fetched during the arithmetic",
        .builds_on = "swizzled",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = swizzled::variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<swizzled::variants>([]<Parameters P, class Probe>() { return &prefetched<P, Probe>; }),
        .tiles = [](Parameters p) { return rings(swizzled_a(p), swizzled_b(p), 2); },
        .layouts = {{"As", "ByRow", "stages/16_swizzled.cu"}, {"Bs", "ByChunk", "stages/16_swizzled.cu"}},
        .tiny = Tiny<Parameters>{swizzled::tiny, 32, 64, 16, swizzled::limit_of_banks},
    };
}

} // namespace prefetched
#endif
