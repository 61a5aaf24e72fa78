// Searches for parameters that were made on another GPU: candidates.json, made by scripts/make-assets.
#pragma once

#include "measure/tuning.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct ShippedSearch {
    std::string stage; // slug
    recording::Problem problem;
    std::vector<kernels::Candidate> ranked; // right ones first, the fastest of them first
    bool whole = false;                     // it came to its end
    std::string origin;                     // "searched on NVIDIA H200, 2026-11-21, shipped with gemmscope"
};

struct ShippedSearches {
    std::vector<ShippedSearch> searches;
    std::string missing; // why there are none, or not all, as a sentence; else empty

    const ShippedSearch* find(std::string_view stage) const; // null: none of it is shipped
};

// Never throws; what is of stages that this ladder has not is left out.
ShippedSearches read_shipped_searches(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder);

} // namespace app
