// The page with what a GPU counted of the whole ladder and of the libraries.
#pragma once

#include "app/state/state.h"

namespace app {

void draw_counter_table(const Snapshot& snapshot, State& state, const Area& area);

} // namespace app
