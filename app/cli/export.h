// gemmscope export: a view as a file.
#pragma once

#include "app/pictures/wish.h"
#include "app/shell/options.h"

#include <cstddef>
#include <optional>
#include <string>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

struct ExportOptions {
    ExportWish wish;
    std::string size = "1280x800", steps; // as typed; steps empty: none
    std::optional<std::size_t> step;
    std::optional<double> time;
};

// Beside what a window is opened with.
void add_export_options(CLI::App& command, ExportOptions& options);

// Throws kernels::Error.
int export_view(const WindowOptions& window, ExportOptions options);

} // namespace app
