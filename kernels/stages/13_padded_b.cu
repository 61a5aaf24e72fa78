// padded_b: five extra columns in the shared tile of B, meant as a cure for its conflicts.
//
// Idea: if rows of B conflict, let each start five banks later than the one before. The kernel is that of linearized_b,
// which takes any layout of B.
//
// Was slow: the reads of B in vectorized, 8 wavefronts where 4 would do.
//
// Look at: the conflict is not between rows. All lanes of a warp read the same row k, eight floats apart: sixteen
// different addresses in four banks. Where the row starts does not change that. Also, rows of 133 floats no longer
// start on 16-byte boundaries, so the 16-byte loads are lost. The conflicts grow: padding must fit the access width,
// and it must be applied where the conflict is, as in padded_a.
//
// Expected: fewer conflicts than vectorized. As written there are three times as many, 24,576 instead of 8,192 at 128^3.
// The compiler joins the loads of those rows of B that do start on a boundary; the H200 then counts 11,776, still more.
// 4096^3: 30.8 TFLOPS instead of 37.4 (2026-11-23).
//
// Loads per result and intensity: as linearized_b.
//
// Still slow: the conflicts, and now the loads are narrow, too. swizzled moves the elements within a row, where the
// conflict is.

#include "stages/12_linearized_b.cu"

namespace padded_b {

using vectorized::Parameters;

__host__ __device__ constexpr Padded padded(Parameters p)
{
    return {p.BK, p.BN, 5};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) padded_b(Gemm gemm, Probe probe)
{
    Block block(probe);
    linearized_b::multiply_any_b<P, vectorized::layout_a(P), padded(P)>(gemm, block);
}

} // namespace padded_b

#ifndef __CUDACC__ // what the host needs to know
namespace padded_b {

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "padded_b",
        .idea = "five extra columns in B: padding in the wrong place makes it worse",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = linearized_b::variants,
        .refusal = vectorized::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<linearized_b::variants>([]<Parameters P, class Probe>() { return &padded_b<P, Probe>; }),
        .tiles = two_tiles<vectorized::layout_a, padded>,
        .body_file = "stages/12_linearized_b.cu",
        .layouts = {{"Bs", "padded", "stages/13_padded_b.cu"}},
        .tiny = Tiny<Parameters>{vectorized::tiny, 16, 16, 8, vectorized::limit_of_width},
    };
}

} // namespace padded_b
#endif
