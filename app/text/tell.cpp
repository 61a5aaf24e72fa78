#include "app/text/tell.h"

#include <array>

namespace app {

namespace {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0; // 0: invalid UTF-8
};

Character first_of(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    // Smallest code point that needs this number of bytes.
    constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char head = byte(0);
    const std::size_t bytes = head < 0x80   ? 1
                              : head < 0xc0 ? 0
                              : head < 0xe0 ? 2
                              : head < 0xf0 ? 3
                              : head < 0xf8 ? 4
                                            : 0;
    if (bytes == 0 || bytes > text.size())
        return {};
    char32_t code = bytes == 1 ? head : head & (0xffu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0u) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[bytes] || code > 0x10ffff || is_surrogate ? Character() : Character{code, bytes};
}

bool is_obeyed(char32_t code)
{
    const auto in = [code](char32_t first, char32_t last) { return code >= first && code <= last; };
    if (code == '\n' || code == '\r' || code == '\t')
        return false;
    const bool controls = in(0, 0x1f) || in(0x7f, 0x9f);
    const bool turns_text = code == 0x61c || in(0x200e, 0x200f) || in(0x202a, 0x202e) || in(0x2066, 0x2069);
    return controls || turns_text || in(0x2028, 0x2029);
}

} // namespace

std::string harmless(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const Character character = first_of(text);
        const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
        if (character.bytes == 0 || is_obeyed(character.code))
            result += '?';
        else
            result += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return result;
}

std::size_t whole_characters(std::string_view text)
{
    // A character has at most four bytes, and the first one determines the number.
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (byte < 0x80)
            break;
        if (byte >= 0xc0) {
            const std::size_t bytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
            return bytes > back ? text.size() - back : text.size();
        }
    }
    return text.size();
}

std::string take_harmless(std::string& text)
{
    const std::size_t whole = whole_characters(text);
    std::string taken = harmless(std::string_view(text).substr(0, whole));
    text.erase(0, whole);
    return taken;
}

} // namespace app
