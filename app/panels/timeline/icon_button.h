// The buttons of the timeline: small signs as on a tape player.
#pragma once

#include "app/state/state.h"

#include <string_view>

namespace app {

enum class Icon { to_start, phase_back, back, play, pause, forward, phase_forward, to_end };

// At ImGui's cursor, which goes on at its right; whether it was pressed. `help` stands in the status line while the mouse is over it.
bool icon_button(State& state, const char* id, Icon icon, std::string_view help);

} // namespace app
