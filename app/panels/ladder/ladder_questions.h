// Below the ladder: how its speeds were measured, and where cuBLAS is still ahead.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_ladder_questions(const Snapshot& snapshot, State& state);

} // namespace app
