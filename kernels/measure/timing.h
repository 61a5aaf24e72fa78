// Samples to figures.
#pragma once

#include "backend.h"

namespace kernels {

// `samples`: milliseconds of one run each; all zero where there are none.
Timing timing_of(std::vector<double> samples);

} // namespace kernels
