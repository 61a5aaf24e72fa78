// SHA-256 (FIPS 180-4): tells two texts apart even where one was made to pass for the other.
#pragma once

#include <string>
#include <string_view>

namespace app {

// In 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace app
