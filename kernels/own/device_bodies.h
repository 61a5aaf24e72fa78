// A source as its description needs it: without what only the kernel does.
#pragma once

#include <string>
#include <string_view>

namespace own {

// The same lines, with the bodies of __global__ and __device__ functions empty; those that the host shares are left, as is
// what cannot be told. So the description need not be compiled again where a kernel has changed.
std::string without_device_bodies(std::string_view text);

} // namespace own
