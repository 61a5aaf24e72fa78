// Converts the slots that probes fill on the GPU to accesses and to the steps of warps. Internal to kernels/cuda.
#pragma once

#include "device/clock_state.h"
#include "recording/recording.h"
#include "recording/warp_times.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cuda {

// Converts the slots that RecordProbe fills to accesses.

// Appends the steps of one warp in `slots`, in order, up to the first step that the warp did not reach. Returns false
// if there is such a step.
bool append_steps(std::span<const uint32_t> slots, std::vector<recording::Access>& accesses);

// Converts the output of ClockProbe to steps of warps.

// The capacity of the output: the number of warps of an SM, and the number of steps per warp.
struct ClockRoom {
    uint32_t warps = 0, steps = 0;
};

// Returns the capacity that a launch needs. A run with too little capacity shows how many warps began and how many
// steps the longest warp took. Throws kernels::Error if the launch placed no block on that SM, or if the steps are too
// many to store and display.
ClockRoom room_needed(uint32_t begun, std::span<const ClockWarp> warps, uint32_t sm);

// `warps` are in any order; `steps` holds room.steps entries per warp. Times are relative to the start of the first
// warp. Throws kernels::Error if a step is missing, so the result is never truncated.
std::vector<recording::TimedWarp> timed_warps(std::span<const ClockWarp> warps, std::span<const ClockStep> steps,
                                              const ClockRoom& room);

} // namespace cuda
