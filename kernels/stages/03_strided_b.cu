// strided_b: one thread, one element of C, with B stored transposed: every lane walks along a row of its own.
//
// Idea: A is read along its rows, so store B such that it is read along rows too: column by column in memory, element
// (k, col) at b[col*K + k]. On a CPU that helps: one thread then reads both without jumps.
//
// What was slow in naive: A and C, because a warp accessed a different row with each lane. Here threadIdx.x runs along
// the columns, so C is written in one piece and A is a broadcast; the mistake has moved to B.
//
// Look at: the read of B. A warp is 2 rows of 16 threads, so its lanes read 16 columns of B, which are now K floats
// apart: 16 sectors per request, of which 4 bytes each are used. A GPU needs neighboring addresses in neighboring
// lanes, not in the successive steps of one thread. The next step reads the next 4 bytes of each of those sectors, so
// the cache can help if it still holds them; the number of requests stays the same.
//
// Expected: as fast as coalesced, because B's rows are read in order too. But the memory pipeline is busy with 16 sectors
// where coalesced needs 2 for the same 16 columns, and the arithmetic waits: 912 GFLOPS where coalesced gave 6,279 on an
// H200 (4096^3, 2026-11-21). The source that tried it saw 680 and 2,700 on an RTX 5070 Ti, memory busy for 98 % of the
// time and the SMs for 22 %.
//
// Loads per result: 2K from global memory, none from shared memory. Intensity 2K FLOP / 8K bytes = 0.25 FLOP per byte.
//
// cuBLAS, timed beside it, gets B in the same order.
//
// Still slow: the addresses of B. The next stage, coalesced, reads B row by row.

#include "device/gemm.h"

namespace strided_b {

struct Parameters {
    int block = 16; // edge of the square block of threads
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.block * P.block) strided_b(GemmColumns gemm, Probe probe)
{
    Block block(probe);
    const auto A = gemm.A(block), B_transposed = gemm.B_transposed(block);
    const auto C = gemm.C(block);

    const int row = blockIdx.y * P.block + threadIdx.y;
    const int col = blockIdx.x * P.block + threadIdx.x;
    if (row >= gemm.M || col >= gemm.N)
        return;

    float sum = 0;
    for (int k = 0; k < gemm.K; ++k) {
        const float a = A(row, k);
        const float b = B_transposed(col, k);
        sum += a * b;
    }

    float result = gemm.alpha * sum;
    if (gemm.beta != 0)
        result += gemm.beta * C(row, col);
    C.store(row, col, result);
}

} // namespace strided_b

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace strided_b {

inline constexpr Parameters variants[] = {{}, {8}, {32}, {2}, {4}};

inline auto info()
{
    return StageInfo<Parameters, GemmColumns>{
        .slug = "strided_b",
        .idea = "B stored transposed: each lane walks along a row of its own",
        .builds_on = "naive",
        .parameters = {{"block", &Parameters::block, "edge of the square block of threads"}},
        .variants = variants,
        .refusal = [](Parameters p) { return refusal_of_square("block", p.block); },
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, p.block), ceil_div(problem.M, p.block)}, .block = {p.block, p.block}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &strided_b<P, Probe>; }),
        .tiny = Tiny<Parameters>{{2}, 4, 4, 4},
    };
}

} // namespace strided_b
#endif
