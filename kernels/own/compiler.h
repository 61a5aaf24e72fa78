// The system's C++ compiler, and what it made: libraries that are kept in the user's cache.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace own {

// The library made of `wrapper`, which includes NAME.cu with this text, behind the precompiled `common`. Made once: the same
// sources find it again, whatever their comments and blanks. Throws kernels::Error with the compiler's words, and
// kernels::Unavailable where there is none.
std::filesystem::path library(const std::string& name, const std::string& text, const std::string& wrapper,
                              std::string_view common);

} // namespace own
