// Problem sizes as text, as on the command line and in files.
#pragma once

#include "gemm/operation.h"

#include <string>

namespace kernels {

// Parses "N" (a cube, or N elements for vector_add), "MxNxK", or "MxN" if the operation has no K. Throws Error that
// says what is expected.
recording::Problem parse_size(const std::string& text, Operation operation);

std::string size_name(const recording::Problem& problem, Operation operation);

} // namespace kernels
