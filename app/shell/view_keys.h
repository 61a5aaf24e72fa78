// What a view alone can be told to do, in the one table of commands: they can be found and changed as all others.
#pragma once

#include "app/state/state.h"

#include <functional>

namespace app {

using ViewAction = std::function<void(const viz::ViewScene&)>;

// Of all views; `act` does what one of them means, in the view that is shown. A key that learning has among `others` is for lessons
// everywhere: the view has it with Alt.
Commands view_commands(const State& state, const Commands& others, const std::function<void(const ViewAction&)>& act);

// The view that hears keys; empty: none is shown.
std::string_view heard_by(const Snapshot& snapshot, const State& state);

} // namespace app
