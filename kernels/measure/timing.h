// Computes statistics of time samples.
#pragma once

#include "backend.h"

namespace kernels {

// `samples` has the time of each run in milliseconds. Without samples, all members of the result are zero.
Timing timing_of(std::vector<double> samples);

} // namespace kernels
