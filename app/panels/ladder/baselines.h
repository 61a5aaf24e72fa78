// The end of the ladder: what it is compared with. Rungs that cannot be recorded: only what they reach is known.
#pragma once

#include "app/panels/ladder/ladder_style.h"
#include "app/state/state.h"

namespace app {

void draw_baselines(const Snapshot& snapshot, State& state, const LadderStyle& style);

} // namespace app
