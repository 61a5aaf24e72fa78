// From what ClockProbe wrote to the steps of warps. Internal to kernels/cuda.
#pragma once

#include "device/clock_state.h"
#include "recording/warp_times.h"

#include <span>
#include <vector>

namespace cuda {

// Room for so many warps of an SM, and for so many steps of each.
struct ClockRoom {
    uint32_t warps = 0, steps = 0;
};

// What a run with too little room has shown: how many warps began, and the steps of the longest one.
// Throws kernels::Error where the launch put no block on that SM, or where that is too much to keep and to show.
ClockRoom room_needed(uint32_t begun, std::span<const ClockWarp> warps, uint32_t sm);

// `warps` in any order, `steps` so many for each as there was room for. Times count from when the first one began. Throws
// kernels::Error where a step is missing: nothing is cut off.
std::vector<recording::TimedWarp> timed_warps(std::span<const ClockWarp> warps, std::span<const ClockStep> steps,
                                              const ClockRoom& room);

} // namespace cuda
