// Random problem sizes, for measuring at sizes that nothing was tuned for.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace kernels {

// Returns the first `count` sizes for this seed, the same on every machine. Of every five sizes, four have sides from
// 64 to 8192, uniform in their logarithms. The fifth alternates between tall (M large, N small), wide, and long in K
// (up to 65,536). Size by size, the sides alternate between multiples of 64, multiples of 8 and unrounded.
std::vector<recording::Problem> random_shapes(std::size_t count, uint32_t seed);

} // namespace kernels
