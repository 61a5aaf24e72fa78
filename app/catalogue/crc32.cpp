#include "app/catalogue/crc32.h"

#include <array>

namespace app {

namespace {

constexpr std::array<uint32_t, 256> make_table()
{
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = value >> 1 ^ ((value & 1) != 0 ? 0xedb88320u : 0u);
        table[i] = value;
    }
    return table;
}

} // namespace

uint32_t crc32(std::span<const std::byte> bytes)
{
    static constexpr std::array<uint32_t, 256> table = make_table();
    uint32_t value = ~0u;
    for (const std::byte byte : bytes)
        value = value >> 8 ^ table[(value ^ static_cast<uint32_t>(byte)) & 255];
    return ~value;
}

} // namespace app
