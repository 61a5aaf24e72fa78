// What the GPU counted of the recorded stage, beside what the source says and what the machine code runs.
#pragma once

#include "app/state/state.h"

namespace app {

// Asks the session for the counters of the recording, which it begins to read.
void draw_counters(const Snapshot& snapshot, Session& session, State& state, const RecordingPtr& recording,
                   const Area& area);

} // namespace app
