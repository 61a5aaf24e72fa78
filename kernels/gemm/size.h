// The size of a problem as text, as the command line takes it and files hold it.
#pragma once

#include "gemm/operation.h"

#include <string>

namespace kernels {

// "N" (a cube, or N elements for vector_add), "MxNxK", or "MxN" where the operation has no K. Throws Error saying what is
// expected.
recording::Problem parse_size(const std::string& text, Operation operation);

std::string size_name(const recording::Problem& problem, Operation operation);

} // namespace kernels
