// What a view asks of the window, and what the window gives it beside the stages.
#pragma once

#include "app/state/state.h"

namespace app {

void grant(Session& session, State& state, const viz::Requests& requests);

// What keeps a tiny stage from being smaller still.
void explain_tiny(const Snapshot& snapshot, const viz::ViewFrame& frame);

} // namespace app
