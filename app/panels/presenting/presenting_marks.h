// What a class sees beside the window: where the pointer was, and the keys that were pressed.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_presenting(State& state, const Area& view); // the keys at its lower edge

} // namespace app
