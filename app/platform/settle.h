// Waiting until what is asked for is known, for a picture.
#pragma once

#include "app/shell/shell.h"

#include <cstddef>

namespace app {

// Until every recording is made. The ladder's figures are waited for as well, but not for ever: a slow machine's picture
// shows them as missing. Throws kernels::Error where a stage could not be recorded.
void settle(Shell& shell);

// Throws kernels::Error where the chosen warp has no such step.
void set_step(Shell& shell, std::size_t step);

} // namespace app
