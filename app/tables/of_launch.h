// What is known of whole launches, of the ladder and of the GPU.
#pragma once

#include "app/state/state.h"
#include "app/text/table.h"

namespace app {

Table speeds_of_ladder(const Snapshot& snapshot);       // each rung's speed at each size, and its intensity
Table ceilings_of_gpu(const Snapshot& snapshot);        // bandwidths and arithmetic, measured or by its data
Table placed_blocks(const Snapshot& snapshot);          // where and when each block ran
Table occupancy_by_registers(const Snapshot& snapshot); // what an SM holds, for each number of registers per thread
Table compared_figures(const Snapshot& snapshot, const State& state);

} // namespace app
