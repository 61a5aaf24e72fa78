// coalesced_swapped: coalesced with rows and columns of blocks exchanged.
//
// Idea: blocks start in the order of their numbers, x fastest. In coalesced x runs along the columns of C, so blocks that run
// together share rows of A; here x runs down the rows, and they share columns of B. A warp's addresses stay as they were.
//
// Was slow: nothing that this stage fixes. It shows the effect of the order of blocks alone: a public ladder found the
// other order 30 % slower on its GPU.
//
// Look at: requests and sectors, which are those of coalesced, block by block; and the traffic of L2 and DRAM, which no
// address of a block shows. If all blocks that run together need many different rows of A, L2 must hold these instead
// of a few rows and a strip of B.
//
// Loads per result and intensity by the program's accesses: as coalesced.
//
// On an H200: 6.3 TFLOPS at 4096^3, coalesced 6.2: the order costs nothing here (2026-11-23).
//
// Still slow: as coalesced. fastest groups its blocks, so that blocks running together share both rows and columns.

#include "stages/04_coalesced.cu"

namespace coalesced_swapped {

using coalesced::Parameters;

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.block * P.block) coalesced_swapped(Gemm gemm, Probe probe)
{
    Block block(probe);
    const auto A = gemm.A(block), B = gemm.B(block);
    const auto C = gemm.C(block);

    const int row = blockIdx.x * P.block + threadIdx.x / P.block; // x, which runs fastest, goes down the rows
    const int col = blockIdx.y * P.block + threadIdx.x % P.block;
    if (row >= gemm.M || col >= gemm.N)
        return;

    float sum = 0;
    for (int k = 0; k < gemm.K; ++k) {
        const float a = A(row, k);
        const float b = B(k, col);
        sum += a * b;
    }

    float result = gemm.alpha * sum;
    if (gemm.beta != 0)
        result += gemm.beta * C(row, col);
    C.store(row, col, result);
}

} // namespace coalesced_swapped

#ifndef __CUDACC__ // what the host needs to know
namespace coalesced_swapped {

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "coalesced_swapped",
        .idea = "blocks numbered down the rows of C instead of along them",
        .builds_on = "coalesced",
        .parameters = {{"block", &Parameters::block, "edge of the square of C per block"}},
        .variants = coalesced::variants,
        .refusal = [](Parameters p) { return refusal_of_square("block", p.block); },
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.M, p.block), ceil_div(problem.N, p.block)}, .block = {p.block * p.block}};
        },
        .on_cpu =
            compiled<coalesced::variants>([]<Parameters P, class Probe>() { return &coalesced_swapped<P, Probe>; }),
        .tiny = Tiny<Parameters>{{2}, 4, 4, 4},
    };
}

} // namespace coalesced_swapped
#endif
