// Above the view, in one row: which stages are shown, with parameters that the person can change, and how the numbers of the
// view were had.
#pragma once

#include "app/state/state.h"

namespace app {

// In ImGui's layout, at the top of the view's place.
void draw_strip(const Snapshot& snapshot, Session& session, State& state);

} // namespace app
