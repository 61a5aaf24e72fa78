// Says of a recording that it was not made here, and offers to make one; nothing where all were.
#pragma once

#include "app/shell/state.h"

namespace app {

void draw_shipped(Session& session, State& state);

} // namespace app
