// What a view asks of the window, and what the window gives it beside the stages.
#pragma once

#include "app/state/state.h"

namespace app {

void grant(Session& session, State& state, const viz::Requests& requests);

// While a clock runs, words move by it; else a new step's words set out once.
viz::Movement movement_of(const State& state);

// What keeps a tiny stage from being smaller still.
void explain_tiny(const Snapshot& snapshot, const viz::ViewFrame& frame);

} // namespace app
