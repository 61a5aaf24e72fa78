// The page of courses, lessons and concepts, in the place of the view.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_library(Session& session, State& state, const Area& area);

} // namespace app
