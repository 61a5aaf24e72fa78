// A stage run by the PTX machine: NVRTC alone is needed, and no GPU.
#pragma once

#include "gemm/inputs.h"
#include "machine_code/machine_code.h"
#include "ptx/program.h"
#include "recording/recording.h"
#include "stage.h"
#include "traced/builder.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ptx {

// A stage's kernels, ready to run from their PTX, and what a launch of them is given.

// Of a stage's buffers; those of the kernel's variables come after them.
enum : std::size_t { region_a, region_b, region_c, region_workspace, region_count };

Program program_of(const kernels::KernelCode& kernel);

// To the regions.
kernels::Pointers stage_pointers(const std::byte* tensor_maps);

// Where the recording's arrays lie. A tile is in the shared variable that is called so, after those that are there
// already; else in the first that has room for it. `dynamic`: bytes of dynamic shared memory.
std::vector<traced::Place> places_of(std::span<const recording::Array> arrays, const Program& program,
                                     uint64_t dynamic);

struct StageRun {
    recording::Recording recording;    // as a backend's: totals of the whole launch, the chosen blocks in full
    std::vector<std::string> warnings; // races, a sentence each
};

// C of `operands` is in and out. Throws kernels::Unavailable where there is no NVRTC; kernels::Error with the
// compiler's words, or with the line where the kernel does what it may not or what the machine does not have.
StageRun run_stage(const kernels::Job& job, kernels::Operands& operands, std::span<const recording::Index3> blocks,
                   const recording::Device& device, const std::stop_token& stop);

} // namespace ptx
