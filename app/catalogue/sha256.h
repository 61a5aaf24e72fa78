// SHA-256 (FIPS 180-4). It distinguishes two texts even if one was made to resemble the other.
#pragma once

#include <string>
#include <string_view>

namespace app {

// Returns the hash as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace app
