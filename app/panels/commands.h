// The table of all commands, for the keys, the help page and the palette of Ctrl+P.
#pragma once

#include "app/panels/state.h"
#include "app/workspace/commands.h"

#include <functional>
#include <string_view>
#include <vector>

namespace app {

class Shell;

Commands make_commands(Shell& shell);

using ViewAction = std::function<void(const viz::ViewScene&)>;
// Returns the commands of all views. `act` performs a command in the shown view. If a lesson command among `others`
// uses a key, the view gets this key with Alt.
Commands view_commands(const State& state, const Commands& others, const std::function<void(const ViewAction&)>& act);

// Returns the name of the view that receives keys; empty: none is shown.
std::string_view heard_by(const Snapshot& snapshot, const State& state);

// Returns the entries of the palette: the commands, and everything that can be shown or set by name.
std::vector<PaletteEntry> palette_entries(Shell& shell);

} // namespace app
