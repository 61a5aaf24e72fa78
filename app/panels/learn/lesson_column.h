// The column beside the picture: a lesson's step, or a question.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_lesson_column(Session& session, State& state, const Area& area);

} // namespace app
