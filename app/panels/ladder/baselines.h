// The end of the ladder: what it is compared with. What they reach, and of libraries the kernel that was traced.
#pragma once

#include "app/panels/ladder/ladder_style.h"
#include "app/state/state.h"

namespace app {

// A click opens what was traced of the library, where that is shipped.
void draw_baselines(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style);

} // namespace app
