// CUDA's built-in names on the CPU, for the stage files. An operating-system thread runs one block at a time, with a
// fiber for each CUDA thread (see block_runner.h); shared memory is therefore thread-local.
#pragma once

#include <cstddef>

#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __launch_bounds__(...)

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

namespace cpu {

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};

// Switches to another fiber until all threads of the block that have not returned have arrived.
void wait_at_barrier();

} // namespace cpu

// Indices of the running fiber; the block runner sets them.
inline constinit thread_local cpu::Dim3 threadIdx{}, blockIdx{}, blockDim{}, gridDim{};

inline void __syncthreads()
{
    cpu::wait_at_barrier();
}
