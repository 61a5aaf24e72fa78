// Searches for parameters that were made on another GPU: candidates.json, made by scripts/make-assets.
#pragma once

#include "app/tuner.h"

#include <filesystem>
#include <vector>

namespace app {

// Never throws: what is missing, broken or of stages that this ladder has not is left out.
std::vector<SearchState> read_shipped_searches(const std::filesystem::path& folder,
                                               const std::vector<kernels::Stage>& ladder);

} // namespace app
