// What a window is opened with, on the command line: without a command, and of those that draw what it shows.
#pragma once

#include "app/cli/command.h"
#include "app/shell/opening.h"

namespace app {

struct WindowArguments {
    WindowOptions window;
    std::string place;          // a patch, instead of what single options say; empty: none
    std::string theme;          // "light" or "dark"; empty: neither
    std::filesystem::path file; // a recording, a CUDA file or a saved state; empty: none
};

void window_options(OptionList& option, WindowArguments& arguments);

// What the window is opened with. Throws kernels::Error for an unknown stage, or a state that cannot be read.
WindowOptions opened_with(const WindowArguments& arguments);

} // namespace app
