// What one warp, or one block, of the stages shown does.
#pragma once

#include "app/state/state.h"
#include "app/text/table.h"

namespace app {

Table steps_of_warp(const Snapshot& snapshot, const State& state);    // each access and what it costs
Table banks_of_step(const Snapshot& snapshot, const State& state);    // each word that a lane wants at the step shown
Table costs_of_lines(const Snapshot& snapshot, const State& state);   // of shared memory, by source line
Table sectors_of_lines(const Snapshot& snapshot, const State& state); // of global memory, by source line

} // namespace app
