// The page on which a person has another program's kernels listed and chooses the one to record.
#pragma once

#include "app/session/session.h"
#include "app/state/state.h"

namespace app {

void draw_programs(const Snapshot& snapshot, Session& session, State& state, const Area& area);

} // namespace app
