// In the view's place: a search for parameters, all its candidates as bars, the fastest first.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_search(const Snapshot& snapshot, Session& session, State& state, const Area& area);

} // namespace app
