// Reads and writes the profile of a launch in the form of counters.json. A profile says which instructions ran and why
// warps stalled. It is stored in columns, because a kernel has thousands of instructions and most of them run as often
// as the one before.
#pragma once

#include "recording/counted.h"
#include "recording/recording.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace app {

nlohmann::json to_json(const recording::RunProfile& run);

// Returns the checksum of the source text that line numbers refer to.
uint32_t source_checksum(const recording::Recording& recording);

// Parses a profile. Throws kernels::Error.
recording::RunProfile run_profile_from(const nlohmann::json& run);

} // namespace app
