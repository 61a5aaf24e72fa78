// What ran in a launch and what its warps waited for, as counters.json has it: in columns, since a kernel has thousands of
// instructions of which most ran as often as the one before.
#pragma once

#include "recording/counted.h"
#include "recording/recording.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace app {

nlohmann::json to_json(const recording::RunProfile& run);

// Of the text that a stage's lines are counted in.
uint32_t source_checksum(const recording::Recording& recording);

// Throws kernels::Error.
recording::RunProfile run_profile_from(const nlohmann::json& run);

} // namespace app
