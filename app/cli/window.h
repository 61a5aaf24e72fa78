// Command line arguments for the window, and for commands that draw what the window shows.
#pragma once

#include "app/cli/command.h"
#include "app/panels/opening.h"

namespace app {

struct WindowArguments {
    WindowOptions window;
    std::string place;          // a patch that replaces the other options; empty: none
    std::string theme;          // "light" or "dark"; empty: not specified
    std::filesystem::path file; // a recording, a CUDA file or a saved state; empty: none
};

void window_options(OptionList& option, WindowArguments& arguments);

// Returns the window's options. Throws kernels::Error for an unknown stage, or a state that cannot be read.
WindowOptions opened_with(const WindowArguments& arguments);

} // namespace app
