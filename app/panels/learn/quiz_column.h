// A question in the column beside the picture, and what became of it.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_quiz(Session& session, State& state);

} // namespace app
