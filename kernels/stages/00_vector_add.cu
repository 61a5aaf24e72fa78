// vector_add: one thread, one element.
//
// Idea: a kernel is written for one thread. The launch makes 1,024 threads, and each computes from its indices which
// element it handles. 1,000 elements do not fill 8 blocks of 128 threads, so the last 24 threads do nothing.
//
// Look at: the index of a thread in the grid, blockIdx.x * blockDim.x + threadIdx.x; the four warps of each block; the
// last warp, of which 8 lanes work and 24 have returned.
//
// Loads per result: 2 from global memory, none from shared memory. With the store that is 12 bytes for one addition,
// 1/12 FLOP per byte.
//
// Still slow: no value is used twice, so only the memory's speed counts. A matrix product uses every element of A and B
// many times; the following stages decide which thread fetches it, and how often.

#include "device/gemm.h"

namespace vector_add {

struct Parameters {
    int threads = 128; // per block
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads) vector_add(Vectors vectors, Probe probe)
{
    Block block(probe);
    const auto A = vectors.A(block), B = vectors.B(block);
    const auto C = vectors.C(block);

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= vectors.n)
        return;

    const float a = A(0, i);
    const float b = B(0, i);
    C.store(0, i, a + b);
}

} // namespace vector_add

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace vector_add {

inline constexpr Parameters variants[] = {{}, {32}, {100}, {256}, {1024}, {4}};

inline std::string refusal(Parameters p)
{
    return p.threads < 1 || p.threads > 1024 ? "threads must be between 1 and 1024" : "";
}

inline auto info()
{
    return StageInfo<Parameters, Vectors>{
        .slug = "vector_add",
        .idea = "one thread, one element; surplus threads have nothing to do",
        .builds_on = "",
        .parameters = {{"threads", &Parameters::threads, "threads per block"}},
        .variants = variants,
        .refusal = refusal,
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, p.threads)}, .block = {p.threads}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &vector_add<P, Probe>; }),
        .tiny = Tiny<Parameters>{{4}, 1, 10, 1},
    };
}

} // namespace vector_add
#endif
