// The left place: every stage with its speed, verified or not; click to look at one, Shift-click to compare.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_ladder(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// What is said in place of speeds while they are hidden.
inline constexpr const char* times_hidden = "Speeds are hidden; F6 reveals them.";

// What a side panel shows when it is closed: a strip that opens it. True when it was clicked.
bool draw_closed_panel(const State& state, const Area& area, const char* name);

} // namespace app
