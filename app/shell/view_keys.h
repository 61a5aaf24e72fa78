// The keys that a view alone understands, in the one table of commands: they can be found and changed as all others.
#pragma once

#include "app/state/state.h"

namespace app {

// Of all views. A key that learning has among `others` is for lessons everywhere: the view has it with Alt.
Commands view_commands(State& state, const Commands& others);

// What keys stand for goes to the view that is shown, as the characters that it knows; each frame, before it is drawn.
void give_view_keys(State& state);

// The view that hears keys; empty: none is shown.
std::string_view heard_by(const Snapshot& snapshot, const State& state);

} // namespace app
