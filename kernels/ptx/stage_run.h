// Runs a stage in the PTX machine, which needs NVRTC but no GPU.
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

// The kernels of a stage, compiled to programs, and the arguments of their launch.

// Numbers of the regions with a stage's buffers. The regions of the kernel's variables follow them.
enum : std::size_t { region_a, region_b, region_c, region_workspace, region_count };

Program program_of(const kernels::KernelCode& kernel);

// Returns pointers to the regions.
kernels::Pointers stage_pointers(const std::byte* tensor_maps);

// Returns where the recording's arrays lie. A shared tile lies in the shared variable of its name, after the tiles that
// are already there. Without such a variable it lies in the first variable that has room for it. `dynamic` is the size
// of dynamic shared memory in bytes.
std::vector<traced::Place> places_of(std::span<const recording::Array> arrays, const Program& program,
                                     uint64_t dynamic);

struct StageRun {
    recording::Recording recording;    // as from a backend: totals of the whole launch, and the chosen blocks in full
    std::vector<std::string> warnings; // one sentence for each race
};

// Runs the stage. Reads and writes C of `operands`. Throws kernels::Unavailable if NVRTC is missing. Throws
// kernels::Error with the compiler's message, or with the line at which the kernel does something invalid or
// unsupported.
StageRun run_stage(const kernels::Job& job, kernels::Operands& operands, std::span<const recording::Index3> blocks,
                   const recording::Device& device, const std::stop_token& stop);

} // namespace ptx
