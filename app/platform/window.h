// The window.
#pragma once

#include "app/shell/opening.h"

namespace app {

// Opens the window and returns when it is closed: 0, or throws kernels::Error (no display, no OpenGL 3.3).
int run_window(const WindowOptions& options);

} // namespace app
