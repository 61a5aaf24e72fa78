// The command line of gemmscope. Without a command it opens the window.
#pragma once

namespace app {

// Returns the exit status: 0, 1 for a failure (a sentence on standard error), 2 for arguments that make no sense.
int run_command_line(int argc, const char* const* argv);

} // namespace app
