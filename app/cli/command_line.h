// The command line of gemmscope. Without a command it opens the window.
#pragma once

namespace app {

// Returns the exit status: 0 for success, 1 for a failure (a sentence on standard error), 2 for invalid arguments.
int run_command_line(int argc, const char* const* argv);

} // namespace app
