// The one table of commands: it drives the keys, the help page and the field of Ctrl+P.
#pragma once

#include "app/state/commands.h"
#include "app/state/palette.h"
#include "app/state/state.h"

#include <functional>
#include <string_view>
#include <vector>

namespace app {

class Shell;

Commands make_commands(Shell& shell);

using ViewAction = std::function<void(const viz::ViewScene&)>;
// Those of all views; `act` does what one of them means, in the view that is shown. A key that learning has among `others` is for
// lessons everywhere: the view has it with Alt.
Commands view_commands(const State& state, const Commands& others, const std::function<void(const ViewAction&)>& act);

// The view that hears keys; empty: none is shown.
std::string_view heard_by(const Snapshot& snapshot, const State& state);

// What the field of Ctrl+P finds: the commands, and all that can be shown or set by name.
std::vector<Entry> palette_entries(Shell& shell);

} // namespace app
