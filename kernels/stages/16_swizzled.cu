// swizzled: vectorized with XOR-swizzled layouts in both shared tiles.
//
// Idea: a swizzle gives every element a new place within its row, by flipping bits of its column. Nothing grows, and
// as store and load go through the same layout, the kernel body does not know. In A, rows 4-7 of the eight flip bit 4
// of the column: the two groups of k that a warp stores together use different halves of the banks. In B, every
// second group of eight 16-byte chunks swaps neighbouring chunks: eight lanes that step by two chunks then meet all
// eight bank groups, where they met four of them twice.
//
// Was slow: the two places where vectorized conflicts, the stores of A and the reads of B.
//
// Look at: 1 wavefront per store of A and 4 per 16-byte read of B: no conflict is left, and every access still moves
// 16 bytes. Compare with vectorized step by step: same lines, same lanes, same values, other banks.
//
// Loads and intensity as vectorized. H200, 4096^3: 41.2 TFLOPS, vectorized 35.8 (2026-11-22).
//
// Still slow: 8 x 8 results per thread need 16 loaded floats per 64 multiplications, and while the tile is fetched
// nobody computes.

#include "stages/11_vectorized.cu"

namespace swizzled {

using vectorized::Parameters;

__host__ __device__ constexpr SwizzledByRow swizzled_a(Parameters p)
{
    return {p.BK, p.BM};
}

__host__ __device__ constexpr SwizzledByChunk swizzled_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) swizzled(Gemm gemm, Probe probe)
{
    Block block(probe);
    vectorized::multiply<P, swizzled_a(P), swizzled_b(P)>(gemm, block);
}

} // namespace swizzled

#ifndef __CUDACC__ // what the host needs to know
namespace swizzled {

inline std::string refusal(Parameters p)
{
    if (p.BK != 4 && p.BK != 8 && p.BK != 16 && p.BK != 32)
        return "BK must be 4, 8, 16 or 32: the swizzle of A divides the 32 banks among BK/4 groups of rows";
    return vectorized::refusal(p);
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "swizzled",
        .idea = "vectorized, with XOR-swizzled tiles: no conflicts at all",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = vectorized::variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<vectorized::variants>([]<Parameters P, class Probe>() { return &swizzled<P, Probe>; }),
        .tiles =
            [](Parameters p) {
                return std::vector{tile("As", swizzled_a(p)), tile("Bs", swizzled_b(p))};
            },
        .body_file = "stages/11_vectorized.cu",
    };
}

} // namespace swizzled
#endif
