// Shortens the names of kernels for display.
#pragma once

#include <string>
#include <string_view>

namespace injection {

// Removes the return type, namespaces and argument types: "void at::native::softmax_warp_forward<float, 9>(float*)"
// becomes "softmax_warp_forward<float, 9>". Template arguments become "..." if the name would otherwise be longer than
// `most` characters.
std::string short_name(std::string_view demangled, std::size_t most = 60);

} // namespace injection
