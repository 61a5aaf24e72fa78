// The question whether the host code of a file that is shown may run. It stands above the view and holds up nothing.
#pragma once

#include "app/state/state.h"

namespace app {

// In ImGui's layout; nothing where it is not asked. Once it was answered with "Only the kernel", a button to think it over.
void draw_host_code_question(const Snapshot& snapshot, Session& session, State& state);

} // namespace app
