// One launch of a kernel of a CUDA file on this machine's GPU.
#pragma once

#include "traced/launch.h"
#include "traced/user_kernel.h"

#include <cstdint>
#include <vector>

namespace traced {

struct GpuLaunch {
    std::vector<Buffer> after;       // what the launch's buffers held then
    std::vector<uint64_t> addresses; // where they lay
};

// `argument_bytes`: of the launch. Throws kernels::Unavailable where there is no GPU, and kernels::Error where the GPU refuses
// the launch or the kernel faults.
GpuLaunch launch_on_gpu(const CompiledKernel& compiled, const PreparedLaunch& launch, ArgumentBytes argument_bytes);

} // namespace traced
