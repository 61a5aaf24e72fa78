// The lines between the view and the panels beside it, which can be dragged.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_splitters(State& state, const Layout& layout);

} // namespace app
