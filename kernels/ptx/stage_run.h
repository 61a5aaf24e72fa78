// A stage run by the PTX machine: NVRTC alone is needed, and no GPU.
#pragma once

#include "gemm/inputs.h"
#include "job.h"
#include "recording/recording.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ptx {

struct StageRun {
    recording::Recording recording;    // as a backend's: totals of the whole launch, the chosen blocks in full
    std::vector<std::string> warnings; // races, a sentence each
};

// C of `operands` is in and out. Throws kernels::Unavailable where there is no NVRTC; kernels::Error with the compiler's
// words, or with the line where the kernel does what it may not or what the machine does not have.
StageRun run_stage(const kernels::Job& job, kernels::Operands& operands, std::span<const recording::Index3> blocks,
                   const recording::Device& device, const std::stop_token& stop);

} // namespace ptx
