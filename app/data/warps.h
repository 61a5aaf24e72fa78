// The times at which the warps of one SM take each step, as JSON: printed by `gemmscope warps` and shipped as
// warps.json.
#pragma once

#include "app/data/shipped_file.h"

#include "viz/analysis/warp_times.h"

namespace app {

nlohmann::json to_json(const recording::WarpTimes& times, const kernels::Stage& stage);

// Reads the shipped times. Never throws.
viz::WatchedStages read_warps(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
