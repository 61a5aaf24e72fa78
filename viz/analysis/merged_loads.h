// Where the compiler made fewer and wider loads of shared memory than the source writes. Pure.
#pragma once

#include "viz/analysis/counted.h"

#include <optional>

namespace viz {

// What executed loads of shared memory took of the wavefronts that the source's loads take, all loads of the launch together.
// Nothing where the compiler made no fewer, or nothing was counted.
std::optional<double> merged_share(const recording::Recording& recording, const HardwareFigures* counted);

} // namespace viz
