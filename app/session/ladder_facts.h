// Collects the facts of the whole ladder and of the GPU for the views.
#pragma once

#include "app/session/snapshot.h"

namespace app {

// Makes the board. `snapshot` must be complete except for its board.
viz::LadderFacts make_board(const Known& known, const Snapshot& snapshot);

} // namespace app
