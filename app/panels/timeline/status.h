// The line at the bottom: in plain words what is under the mouse or selected, and where the recording comes from.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_status(const Snapshot& snapshot, const State& state, const Area& area);

} // namespace app
