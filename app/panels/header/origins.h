// How the numbers of the view were had: a glyph for each group of them, explained when it is pointed at.
#pragma once

#include "app/state/state.h"

namespace app {

float origins_width(const Snapshot& snapshot, const State& state);
void draw_origins(const Snapshot& snapshot, State& state); // behind what ImGui drew last

} // namespace app
