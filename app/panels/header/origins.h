// How the numbers of the view were had: a glyph for each group of them, explained when it is pointed at.
#pragma once

#include "app/shell/state.h"

namespace app {

float origins_width(const Session& session, const State& state);
void draw_origins(const Session& session, State& state); // behind what ImGui drew last

} // namespace app
