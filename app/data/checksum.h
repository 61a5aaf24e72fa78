// CRC-32 and SHA-256.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace app {

// CRC-32 as in zlib and PNG. It detects damage, not tampering.

uint32_t crc32(std::span<const std::byte> bytes);
inline uint32_t crc32(std::string_view text)
{
    return crc32(std::as_bytes(std::span(text)));
}

// SHA-256 (FIPS 180-4). It distinguishes two texts even if one was made to resemble the other.

// Returns the hash as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace app
