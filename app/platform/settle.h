// Waits until everything for a picture is known.
#pragma once

#include "app/shell/shell.h"

#include <cstddef>

namespace app {

// Waits until every recording is made. Also waits for the ladder's figures, but for a limited time: a slow machine's
// picture shows them as missing. Throws kernels::Error if a stage could not be recorded.
void settle(Shell& shell);

// Selects a step. Throws kernels::Error if the chosen warp does not have it.
void set_step(Shell& shell, std::size_t step);

} // namespace app
