// padded_a: vectorized with four unused floats after each row of the A tile.
//
// Idea: the store that transposes A conflicts because rows of the tile that are four apart start in the same bank (4
// rows * 128 floats = 16 * 32 banks). Rows of 132 floats start four banks later each: four rows apart is then 16 banks
// apart, and the two halves of the warp use different halves of the banks. Four floats, not one: every row must still
// start on a 16-byte boundary.
//
// Was slow: in vectorized each of those stores takes 2 wavefronts.
//
// Look at: the four lines that store A, 2 wavefronts each in vectorized, 1 here. The reads of B conflict as before.
//
// With BK = 16 a warp stores four groups of k, which should be 8 banks apart: that needs rows of 130 floats, which do
// not start on 16-byte boundaries. Four floats of padding then leave 2 wavefronts; a swizzle has no such limit.
//
// Price: 4 * BK floats of shared memory, and a row pitch that is no power of two. Loads and intensity as vectorized.
// H200, 4096^3: 38.2 TFLOPS, vectorized 37.4 (2026-11-23): the stores were few.
//
// Still slow: the reads of B, which are many more than the stores of A. Padding cannot help them, because they conflict
// within one row. swizzled can.

#include "stages/11_vectorized.cu"

namespace padded_a {

using vectorized::Parameters;

__host__ __device__ constexpr Padded padded(Parameters p)
{
    return {p.BK, p.BM, 4};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) padded_a(Gemm gemm, Probe probe)
{
    Block block(probe);
    vectorized::multiply<P, padded(P), vectorized::layout_b(P)>(gemm, block);
}

} // namespace padded_a

#ifndef __CUDACC__ // what the host needs to know
namespace padded_a {

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "padded_a",
        .idea = "vectorized, with padding where A is stored turned around",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = vectorized::variants,
        .refusal = vectorized::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<vectorized::variants>([]<Parameters P, class Probe>() { return &padded_a<P, Probe>; }),
        .tiles = two_tiles<padded, vectorized::layout_b>,
        .body_file = "stages/11_vectorized.cu",
        .layouts = {{"As", "padded", "stages/14_padded_a.cu"}},
        .tiny = Tiny<Parameters>{vectorized::tiny, 16, 16, 8, vectorized::limit_of_width},
    };
}

} // namespace padded_a
#endif
