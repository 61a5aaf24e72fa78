// Problem sizes: as text, as on the command line and in files, and drawn at random.
#pragma once

#include "gemm/operation.h"
#include "recording/recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kernels {

// Problem sizes as text, as on the command line and in files.

// Parses "N" (a cube, or N elements for vector_add), "MxNxK", or "MxN" if the operation has no K. Throws Error that
// says what is expected.
recording::Problem parse_size(const std::string& text, Operation operation);

std::string size_name(const recording::Problem& problem, Operation operation);

// Random problem sizes, for measuring at sizes that nothing was tuned for.

// Returns the first `count` sizes for this seed, the same on every machine. Of every five sizes, four have sides from
// 64 to 8192, uniform in their logarithms. The fifth alternates between tall (M large, N small), wide, and long in K
// (up to 65,536). Size by size, the sides alternate between multiples of 64, multiples of 8 and unrounded.
std::vector<recording::Problem> random_shapes(std::size_t count, uint32_t seed);

} // namespace kernels
