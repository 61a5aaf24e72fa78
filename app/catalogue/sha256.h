// SHA-256 (FIPS 180-4): tells texts apart also where somebody makes one on purpose that shall pass for another.
#pragma once

#include <string>
#include <string_view>

namespace app {

// In 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace app
