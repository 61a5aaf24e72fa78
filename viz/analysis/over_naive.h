// The speed-up over the first rung that multiplies, which every source mentions first. Pure.
#pragma once

#include "recording/measured.h"

#include <string_view>

namespace viz {

inline constexpr std::string_view first_rung = "naive";

// Returns the ratio of two speeds. It is missing unless both have the same size, origin and device, because other
// ratios are meaningless.
recording::Measured<double> over_naive(const recording::Measured<double>& gflops,
                                       const recording::Measured<double>& of_naive);

} // namespace viz
