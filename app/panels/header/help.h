// The page that lists all keys: the window's own, from the one table that also serves them, and the views'.
#pragma once

#include "app/state/commands.h"
#include "app/state/state.h"

namespace app {

void draw_help(const Commands& commands, State& state, const Area& area);

} // namespace app
