// Names of kernels as people say them.
#pragma once

#include <string>
#include <string_view>

namespace injection {

// Without return type, namespaces and the types of its arguments: "void at::native::softmax_warp_forward<float, 9>(float*)"
// becomes "softmax_warp_forward<float, 9>". Template arguments that would make it longer than `most` characters become "...".
std::string short_name(std::string_view demangled, std::size_t most = 60);

} // namespace injection
