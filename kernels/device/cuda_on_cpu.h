// What CUDA's words mean on the CPU, for the stage files. One block at a time runs on an operating-system thread, each
// of its CUDA threads as a fiber (see block_runner.h); so shared memory is the operating-system thread's own.
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

// Switches to another fiber until all threads of the block that have not returned are here.
void wait_at_barrier();

} // namespace cpu

// Of the fiber that is running; set by the block runner.
inline constinit thread_local cpu::Dim3 threadIdx{}, blockIdx{}, blockDim{}, gridDim{};

inline void __syncthreads()
{
    cpu::wait_at_barrier();
}
