// One page about a stage, or two: pictures, figures with where they come from, conflicts, sectors, occupancy and the source.
#pragma once

#include "app/shell/opening.h"

#include <filesystem>

namespace app {

// An HTML file that needs nothing beside it. Throws kernels::Error.
int write_report(const WindowOptions& options, const std::filesystem::path& output);

} // namespace app
