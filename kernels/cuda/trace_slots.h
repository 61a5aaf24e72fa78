// From the slots that RecordProbe fills to accesses. Internal to kernels/cuda.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cuda {

// Appends the steps of one warp that `slots` holds, in order, up to the first that it did not come to; false where there
// is such a one.
bool append_steps(std::span<const uint32_t> slots, std::vector<recording::Access>& accesses);

} // namespace cuda
