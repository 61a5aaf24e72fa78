// The field of Ctrl+P over the window.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_palette(State& state, float width, float height);

} // namespace app
