// What stands for the headers of a host, where NVRTC compiles a file that includes them.
#pragma once

#include "cuda/nvrtc.h"

#include <string_view>
#include <vector>

namespace cuda {

// What nvcc knows of a host without any header, and NVRTC does not.
std::string_view text_of_no_header();

// Most have nothing; some what kernels use of them. `has_library`: the toolkit's C++ library (cuda/std) is at hand.
std::vector<Program::Header> host_headers(bool has_library);

} // namespace cuda
