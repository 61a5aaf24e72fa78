// coalesced: one thread, one element of C, threadIdx.x running along the columns.
//
// Idea: the same loop as naive, but neighboring lanes of a warp take neighboring COLUMNS of C. Their 32 reads of B and
// writes of C are then 128 bytes in one piece, and their 32 reads of A are one and the same address.
//
// Was slow: naive asked for 32 sectors per request of A and used an eighth of each. Only the two lines that compute a
// thread's row and column differ here.
//
// Look at: sectors per request. B: 4 (all 128 bytes used), A: 1 (a broadcast), where naive had 32 for A and 1 for B.
//
// Loads per result: 2K from global memory, as before; only their addresses changed. Intensity by the program's
// accesses: 0.25 FLOP per byte.
//
// On an H200: 6.3 TFLOPS at 4096^3, 12 % of cuBLAS, naive 0.5 (2026-11-22).
//
// Still slow: each thread fetches every value that it needs from memory or cache itself. The next stages use a value
// for more than one result: register_tile_2x2 within a thread, warp_shuffle within a warp, shared_tile within a block.

#include "device/gemm.h"

namespace coalesced {

struct Parameters {
    int block = 32; // edge of the square of C that a block computes
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.block * P.block) coalesced(Gemm gemm, Probe probe)
{
    Block block(probe);
    const auto A = gemm.A(block), B = gemm.B(block);
    const auto C = gemm.C(block);

    const int row = blockIdx.y * P.block + threadIdx.x / P.block;
    const int col = blockIdx.x * P.block + threadIdx.x % P.block;
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

} // namespace coalesced

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace coalesced {

inline constexpr Parameters variants[] = {{}, {8}, {16}, {2}, {4}};

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "coalesced",
        .idea = "x runs along the columns: a warp reads B and writes C in one piece",
        .builds_on = "naive",
        .parameters = {{"block", &Parameters::block, "edge of the square of C per block"}},
        .variants = variants,
        .refusal = [](Parameters p) { return refusal_of_square("block", p.block); },
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, p.block), ceil_div(problem.M, p.block)}, .block = {p.block * p.block}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &coalesced<P, Probe>; }),
        .tiny = Tiny<Parameters>{{2}, 4, 4, 4},
    };
}

} // namespace coalesced
#endif
