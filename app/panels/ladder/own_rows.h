// A person's own files, below the ladder's stages.
#pragma once

#include "app/panels/ladder/ladder_style.h"
#include "app/state/state.h"

namespace app {

void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style);

} // namespace app
