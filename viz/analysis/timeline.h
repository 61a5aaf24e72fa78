// What a warp does when, from its recorded accesses: the phases of its k-tiles. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <vector>

namespace viz {

enum class PhaseKind { load, barrier, compute, store };

// A run of consecutive accesses ("steps") of one warp that serve one purpose.
// load: global loads and shared stores; compute: shared loads (or, in a kernel without shared memory, the global loads
// inside the loop); barrier: one __syncthreads(); store: what follows the last compute phase (C read and written).
struct Phase {
    PhaseKind kind = PhaseKind::load;
    int k_tile = 0;        // 0-based: how many compute phases came before
    std::size_t first = 0; // step
    std::size_t count = 0;
};

std::vector<Phase> phases(const recording::Recording& recording, const recording::WarpTrace& warp);

// The phase that holds a step; phases must not be empty and must cover the step.
const Phase& phase_at(const std::vector<Phase>& phases, std::size_t step);

} // namespace viz
