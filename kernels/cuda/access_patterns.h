// Selects the kernel that runs a row of a pattern file, and the counters of its cost. Internal to kernels/cuda.
#pragma once

#include "model/pattern_file.h"

#include <array>
#include <string>
#include <string_view>

namespace cuda {

inline constexpr std::string_view access_patterns_file = "device/access_patterns.h";

// Returns the kernel with its template arguments: "access_patterns::load_shared<4>".
std::string pattern_kernel(const model::PatternRow& row);

// Returns the kernel that times a row in shared memory: "access_patterns::time_shared<4, true>"; empty for other rows.
std::string timing_kernel(const model::PatternRow& row);

// Returns the counters of the columns a and b.
std::array<std::string_view, 2> pattern_metrics(const model::PatternRow& row);

} // namespace cuda
