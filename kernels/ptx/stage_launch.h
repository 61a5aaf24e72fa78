// A stage's kernels, ready to run from their PTX, and what a launch of them is given.
#pragma once

#include "machine_code/machine_code.h"
#include "ptx/program.h"
#include "stage.h"
#include "traced/builder.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ptx {

// Of a stage's buffers; those of the kernel's variables come after them.
enum : std::size_t { region_a, region_b, region_c, region_workspace, region_count };

Program program_of(const kernels::KernelCode& kernel);

// To the regions.
kernels::Pointers stage_pointers(const std::byte* tensor_maps);

// Where the recording's arrays lie. A tile is in the shared variable that is called so, after those that are there already;
// else in the first that has room for it. `dynamic`: bytes of dynamic shared memory.
std::vector<traced::Place> places_of(std::span<const recording::Array> arrays, const Program& program,
                                     uint64_t dynamic);

} // namespace ptx
