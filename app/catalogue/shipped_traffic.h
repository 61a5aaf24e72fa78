// What a GPU counted of caches and memory, of every rung and at several sizes, for those who have none: of counters.json,
// which counter_file.h reads for one launch.
#pragma once

#include "backend.h"

#include "viz/analysis/counted.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct ShippedCount {
    std::string slug;
    kernels::ParameterValues parameters;
    viz::HardwareFigures figures;
};

struct ShippedTraffic {
    std::vector<ShippedCount> rows;
    std::string missing; // why there are none, or not all, as a sentence; else empty

    // Ascending by size.
    std::vector<viz::HardwareFigures> of(std::string_view slug, const kernels::ParameterValues& parameters) const;
};

// Never throws; what is damaged, or belongs to stages or parameters that this ladder has not is left out.
ShippedTraffic read_shipped_traffic(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder);

} // namespace app
