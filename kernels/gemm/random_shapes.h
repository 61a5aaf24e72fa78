// Shapes of products drawn at random, to measure at sizes that nobody tuned for.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace kernels {

// The first `count` shapes of this seed, the same on every machine. Of every five, four have sides from 64 to 8192, uniform in
// their logarithms, and the fifth is in turn tall (M large, N small), wide and with a long K (up to 65,536). Sides are in turn
// multiples of 64, multiples of 8 and whatever was drawn, shape by shape.
std::vector<recording::Problem> random_shapes(std::size_t count, uint32_t seed);

} // namespace kernels
