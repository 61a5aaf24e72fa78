// How many times as fast as the first rung that multiplies: the measure that every source begins with. Pure.
#pragma once

#include "recording/measured.h"

#include <string_view>

namespace viz {

inline constexpr std::string_view first_rung = "naive";

// Of two speeds of one size, had in the same way on the same device; else it says nothing, and is missing.
recording::Measured<double> over_naive(const recording::Measured<double>& gflops,
                                       const recording::Measured<double>& of_naive);

} // namespace viz
