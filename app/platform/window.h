// The application window.
#pragma once

#include "app/panels/opening.h"

namespace app {

// Opens the window and returns 0 when it is closed. Throws kernels::Error if there is no display or no OpenGL 3.3.
int run_window(const WindowOptions& options);

} // namespace app
