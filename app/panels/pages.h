// Pages that take the view's place while they are open.
#pragma once

#include "app/state/state.h"

namespace app {

// False: none is open, and the view is to be drawn.
bool draw_open_page(const Snapshot& snapshot, Session& session, State& state, const Area& area);

} // namespace app
