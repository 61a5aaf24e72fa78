// Of a recording that was not made here: where it is from, and a button to make one here; or to go back to it.
#pragma once

#include "app/state/state.h"

namespace app {

float shipped_width(const Snapshot& snapshot, const State& state);
void draw_shipped(const Snapshot& snapshot, Session& session,
                  State& state); // behind what ImGui drew last; nothing where all were made here

} // namespace app
