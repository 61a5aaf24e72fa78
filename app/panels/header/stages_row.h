// Which stages are shown, with parameters that the person can change, and how the numbers of the view were had: in the row above
// everything where that has room, else in one of its own above the view.
#pragma once

#include "app/state/state.h"

namespace app {

// What it takes; folded: with the parameters behind a button.
float stages_row_width(const Snapshot& snapshot, const State& state, bool folded);

// At ImGui's cursor, ending `room` pixels to the right of it.
void draw_stages_row(const Snapshot& snapshot, Session& session, State& state, float room);

} // namespace app
