// Replacements for host headers, for files that include them and are compiled by NVRTC.
#pragma once

#include "cuda/nvrtc.h"

#include <string_view>
#include <vector>

namespace cuda {

// Returns declarations that nvcc provides without any header and NVRTC does not.
std::string_view text_of_no_header();

// Returns the replacement headers. Most are empty; some declare what kernels use. `has_library` says whether the
// toolkit's C++ library (cuda/std) is available.
std::vector<Program::Header> host_headers(bool has_library);

} // namespace cuda
