// What is known of the whole ladder and of the GPU, as views get it.
#pragma once

#include "app/session/snapshot.h"

namespace app {

// The snapshot has the rest already.
viz::Board make_board(const Known& known, const Snapshot& snapshot);

} // namespace app
