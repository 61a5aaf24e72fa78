// What a lesson's step asks the person to do, checked by what the window shows.
#pragma once

#include "app/state/state.h"

namespace app {

bool did(const Snapshot& snapshot, const State& state, const OpenLesson& open);

} // namespace app
