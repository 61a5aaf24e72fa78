// How the numbers of the view were had: a badge for each group of them.
#pragma once

#include "app/shell/state.h"

namespace app {

void draw_origins(Session& session, State& state);

} // namespace app
