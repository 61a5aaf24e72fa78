// CRC-32 as in zlib and PNG. It detects damage, not tampering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace app {

uint32_t crc32(std::span<const std::byte> bytes);
inline uint32_t crc32(std::string_view text)
{
    return crc32(std::as_bytes(std::span(text)));
}

} // namespace app
