// naive: one thread, one element of C, threadIdx.x running down the rows.
//
// Idea: every thread walks along a row of A and down a column of B and keeps the sum in a register. It is the triple
// loop with the two outer loops turned into a grid of threads.
//
// Look at: a warp's 32 lanes have neighboring threadIdx.x, so here they have neighboring ROWS. Their 32 addresses in A,
// and later in C, are a whole row apart: one request touches 32 sectors of 32 bytes and uses 4 bytes of each.
//
// Loads per result: 2K from global memory, none from shared memory. Intensity 2K FLOP / 8K bytes = 0.25 FLOP per byte.
//
// On an H200: 0.50 TFLOPS at 4096^3, 1.0 % of cuBLAS (2026-11-22).
//
// Still slow: the addresses. coalesced exchanges x and y and changes nothing else; the stage before it, strided_b,
// makes the opposite mistake.

#include "device/gemm.h"

namespace naive {

struct Parameters {
    int block = 32; // edge of the square block of threads
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.block * P.block) naive(Gemm gemm, Probe probe)
{
    Block block(probe);
    const auto A = gemm.A(block), B = gemm.B(block);
    const auto C = gemm.C(block);

    const int row = blockIdx.x * P.block + threadIdx.x;
    const int col = blockIdx.y * P.block + threadIdx.y;
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

} // namespace naive

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace naive {

inline constexpr Parameters variants[] = {{}, {8}, {16}, {2}, {4}};

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "naive",
        .idea = "one thread, one result; a warp's lanes read a whole row apart",
        .builds_on = "",
        .parameters = {{"block", &Parameters::block, "edge of the square block of threads"}},
        .variants = variants,
        .refusal = [](Parameters p) { return refusal_of_square("block", p.block); },
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.M, p.block), ceil_div(problem.N, p.block)}, .block = {p.block, p.block}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &naive<P, Probe>; }),
        .tiny = Tiny<Parameters>{{2}, 4, 4, 4},
    };
}

} // namespace naive
#endif
