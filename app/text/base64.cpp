#include "app/text/base64.h"

#include <cstdint>

namespace app {

namespace {

constexpr std::string_view characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string to_base64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t three = 0;
        for (std::size_t j = 0; j < 3; ++j)
            three = three << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
        for (std::size_t j = 0; j < 4; ++j)
            text += i + j > bytes.size() ? '=' : characters[three >> (18 - 6 * j) & 63u];
    }
    return text;
}

std::optional<std::string> from_base64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return {};
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        uint32_t three = 0;
        for (std::size_t j = i; j < i + 4; ++j) {
            const std::size_t value = j + padding >= text.size() ? 0 : characters.find(text[j]);
            if (value == std::string_view::npos)
                return {};
            three = three << 6 | static_cast<uint32_t>(value);
        }
        for (int shift = 16; shift >= 0; shift -= 8)
            bytes += static_cast<char>(three >> shift & 255u);
    }
    bytes.resize(bytes.size() - padding);
    return bytes;
}

} // namespace app
