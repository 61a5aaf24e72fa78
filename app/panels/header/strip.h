// Above the view: which stages are shown, with which parameters, which the person can change.
#pragma once

#include "app/shell/state.h"

namespace app {

// In ImGui's layout, at the top of the view's place.
void draw_strip(Session& session, State& state);

} // namespace app
