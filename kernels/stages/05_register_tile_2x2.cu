// register_tile_2x2: no shared memory; each thread keeps a 2 x 2 tile of C in registers.
//
// Idea: for every k a thread loads two values of A and two of B and multiplies each with each: an outer product. Four
// multiplications for four loads, where the inner product of coalesced has one for two.
//
// Was slow: each value that coalesced loads serves one multiplication only.
//
// Look at: the four results of a thread, and that every loaded value is used twice without any shared memory. The two
// columns of a thread are a block apart, so that neighboring lanes still read neighboring columns.
//
// Loads per result: (2 + 2)K/4 = K from global memory, where coalesced has 2K; none from shared memory. Intensity:
// 2K FLOP / 4K bytes = 0.5 FLOP per byte.
//
// H200, 4096^3: 9.1 TFLOPS, coalesced 6.3 (2026-11-22).
//
// Still slow: a larger tile in registers would need more loads in flight per thread than global memory can answer
// in time; tiles in shared memory bring the data close first.

#include "device/gemm.h"

namespace register_tile_2x2 {

struct Parameters {
    int block = 16; // edge of the square block of threads; it computes 2*block x 2*block of C
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.block * P.block) register_tile_2x2(Gemm gemm, Probe probe)
{
    Block block(probe);
    const auto A = gemm.A(block), B = gemm.B(block);
    const auto C = gemm.C(block);

    const int row = blockIdx.y * 2 * P.block + threadIdx.y; // and row + P.block
    const int col = blockIdx.x * 2 * P.block + threadIdx.x; // and col + P.block

    float sum[2][2] = {};
    for (int k = 0; k < gemm.K; ++k) {
        const float a[2] = {A(row, k), A(row + P.block, k)};
        const float b[2] = {B(k, col), B(k, col + P.block)};
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                sum[i][j] += a[i] * b[j];
    }

#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int j = 0; j < 2; ++j)
            gemm.store(C, row + i * P.block, col + j * P.block, sum[i][j]);
    }
}

} // namespace register_tile_2x2

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace register_tile_2x2 {

inline constexpr Parameters variants[] = {{}, {8}, {32}, {2}, {4}};

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "register_tile_2x2",
        .idea = "2 x 2 results per thread in registers: an outer product, no shared memory",
        .builds_on = "coalesced",
        .parameters = {{"block", &Parameters::block, "edge of the square block of threads"}},
        .variants = variants,
        .refusal = [](Parameters p) { return refusal_of_square("block", p.block); },
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, 2 * p.block), ceil_div(problem.M, 2 * p.block)},
                    .block = {p.block, p.block}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &register_tile_2x2<P, Probe>; }),
        .tiny = Tiny<Parameters>{{2}, 8, 8, 4},
    };
}

} // namespace register_tile_2x2
#endif
