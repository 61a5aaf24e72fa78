// autotuned: the body of async_copy, with the parameters that are fastest on the GPU at hand.
//
// Idea: there are nine parameters, hundreds of sets that can run, and no rule for the best one: more results per thread
// mean fewer loads but also fewer warps to hide them. So all sets are compiled, run, checked and timed (`gemmscope tune
// autotuned`, or the button beside the parameters), and the fastest is stored for this GPU and this size.
//
// Look at: the list of all candidates. How far apart they are, and which of the fast ones look alike. Small matrices want
// small tiles, or most SMs have no block to run; another GPU wants others again. On an H200 (2026-11-21) the 594 candidates
// ran at 4096^3 from 67 % to 96 % of cuBLAS, async_copy's own parameters at 87 %; in 162 s, compiling included. The winner
// there has tiles of 128 x 256 and, per thread, 4 x 4 results in each of four rows of two subtiles; among those first
// tried at 2048^3 one of 64 x 128 was ahead, at 94 %.
//
// Loads per result: from global memory (1/BM + 1/BN)K; from shared memory (1/(WMITER TM) + 1/(WNITER TN))K values. With
// the winner's K*3/256 and 3K/16. Intensity at global memory: 43 FLOP per byte.
//
// Still slow: what no parameter changes, including the idle SMs of the last wave. The next stage changes it.

#include "stages/20_async_copy.cu"

namespace autotuned {

namespace body = async_copy; // a better one only has to be named here

using body::Parameters;

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) autotuned(Gemm gemm, Probe probe)
{
    Block block(probe);
    body::multiply<P>(gemm, block);
}

} // namespace autotuned

#ifndef __CUDACC__ // what the host needs to know
namespace autotuned {

// The first set won on an H200 at 4096^3; a search on another GPU, or at another size, replaces it.
inline constexpr Parameters variants[] = {
    {{128, 256, 16, 32, 128, 2, 4, 4}, 2}, {{64, 128, 16, 32, 64, 2, 4, 4}, 3}, {warp_tile::tiny, 2}};

// With fewer results per thread each result needs too many loads; more results exceed a thread's 255 registers. Two
// warps alone hide no latency, and more than eight leave an SM no room for a second block.
inline bool worth_trying(Parameters p)
{
    const int results = p.WM * p.WN / 32;
    return results >= 64 && results <= 128 && p.threads() > 64 && p.threads() <= 256;
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "autotuned",
        .idea = "the same kernel with the parameters that are fastest here",
        .builds_on = "async_copy",
        .parameters = body::fields(),
        .variants = variants,
        .refusal = body::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &autotuned<P, Probe>; }),
        .tiles = body::tiles,
        .dynamic_shared = body::dynamic_shared,
        .body_file = "stages/20_async_copy.cu",
        .candidates = {{&Parameters::BM, {64, 128, 256}},
                       {&Parameters::BN, {64, 128, 256}},
                       {&Parameters::BK, {8, 16}},
                       {&Parameters::WM, {32, 64}},
                       {&Parameters::WN, {32, 64, 128}},
                       {&Parameters::WNITER, {1, 2, 4}},
                       {&Parameters::TM, {4, 8}},
                       {&Parameters::STAGES, {2, 3, 4}}},
        .worth_trying = worth_trying,
        .tiny = Tiny<Parameters>{{warp_tile::tiny, 2}, 32, 32, 32, warp_tile::limit_of_warp},
    };
}

} // namespace autotuned
#endif
