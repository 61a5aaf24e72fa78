// Reduces a source to what its description needs, without the kernels' code.
#pragma once

#include <string>
#include <string_view>

namespace own {

// Empties the bodies of __global__ and __device__ functions and keeps the lines. Functions that the host shares remain,
// and so does code that cannot be classified. The description then need not be compiled again after a change to a
// kernel.
std::string without_device_bodies(std::string_view text);

} // namespace own
