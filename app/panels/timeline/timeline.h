// The bottom place: one position in time for everything. Transport, the chosen warp's phases, block and warp.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_timeline(const Snapshot& snapshot, State& state, const Area& area);

} // namespace app
