// A page about one or two stages: pictures, figures with their origins, conflicts, sectors, occupancy and the source.
#pragma once

#include "app/panels/opening.h"

#include <filesystem>

namespace app {

// Writes a self-contained HTML file. Throws kernels::Error.
int write_report(const WindowOptions& options, const std::filesystem::path& output);

} // namespace app
