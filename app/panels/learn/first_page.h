// The first page: what C = A x B is, and the ladder as what it is.
#pragma once

#include "app/state/state.h"

namespace app {

void leave_first_page(State& state);

void draw_first_page(const Snapshot& snapshot, Session& session, State& state, const Area& area);

} // namespace app
