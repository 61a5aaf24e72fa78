// The version of this gemmscope.
#pragma once

#include <string_view>

namespace app {

std::string_view program_version(); // for example "0.1"

} // namespace app
