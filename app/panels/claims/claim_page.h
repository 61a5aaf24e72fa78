// The page with what published ladders claim, beside what a GPU gave here.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_claims(const Snapshot& snapshot, State& state, const Area& area);

} // namespace app
