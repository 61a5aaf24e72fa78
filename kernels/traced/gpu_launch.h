// Launches a kernel of a CUDA file once on this machine's GPU.
#pragma once

#include "traced/launch.h"
#include "traced/user_kernel.h"

#include <cstdint>
#include <vector>

namespace traced {

struct GpuLaunch {
    std::vector<Buffer> after;       // the buffers' final content
    std::vector<uint64_t> addresses; // the buffers' addresses
};

// `argument_bytes` belongs to the launch. Throws kernels::Unavailable if there is no GPU, and kernels::Error if the GPU
// refuses the launch or the kernel faults.
GpuLaunch launch_on_gpu(const CompiledKernel& compiled, const PreparedLaunch& launch, ArgumentBytes argument_bytes);

} // namespace traced
