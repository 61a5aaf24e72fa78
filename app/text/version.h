// Which gemmscope this is.
#pragma once

#include <string_view>

namespace app {

std::string_view program_version(); // "0.1"

} // namespace app
