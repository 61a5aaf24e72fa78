// Keys while the field of Ctrl+P is open, and while a command is to get another key.
#pragma once

#include "app/state/state.h"

namespace app {

void press_in_palette(State& state, const Stroke& stroke);

// The new key of the command that `rebinds` names; Esc: it keeps what it has, Backspace: the usual one. A key that another command
// has is taken when it is pressed once more. True: the chosen keys may be other ones now.
bool take_key(const Commands& commands, State& state, const Stroke& stroke);

} // namespace app
