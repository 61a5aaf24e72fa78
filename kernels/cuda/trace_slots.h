// Converts the slots that RecordProbe fills to accesses. Internal to kernels/cuda.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cuda {

// Appends the steps of one warp in `slots`, in order, up to the first step that the warp did not reach. Returns false
// if there is such a step.
bool append_steps(std::span<const uint32_t> slots, std::vector<recording::Access>& accesses);

} // namespace cuda
