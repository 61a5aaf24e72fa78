// Searches for parameters that were made on another GPU: candidates.json, made by scripts/make-assets.
#pragma once

#include "app/session/tuner.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct ShippedSearches {
    std::vector<SearchState> searches;
    std::string missing; // why there are none, or not all, as a sentence; else empty
};

// Never throws; what is of stages that this ladder has not is left out.
ShippedSearches read_shipped_searches(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder);

} // namespace app
