// In the view's place: a search for parameters, all its candidates as bars, the fastest first.
#pragma once

#include "app/shell/state.h"

namespace app {

void draw_search(const Snapshot& snapshot, Session& session, State& state, const Area& area);

} // namespace app
