#include "app/text/command_words.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <system_error>
#include <utility>

namespace app {

std::vector<std::string> command_words(std::string_view typed)
{
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = '\0';
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const char c = typed[i];
        if (c == '\\' && quote != '\'' && i + 1 < typed.size()) {
            word += typed[++i];
            begun = true;
        } else if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            begun = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (begun)
                words.push_back(std::exchange(word, {}));
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (quote != '\0')
        throw kernels::Error("A quote in the command is not closed.");
    if (begun)
        words.push_back(std::move(word));
    return words;
}

std::string quoted_for_shell(std::string_view word)
{
    std::string result;
    for (const char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + result + "'";
}

std::string word_for_shell(std::string_view word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,=:@%";
    const bool is_plain = !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
    return is_plain ? std::string(word) : quoted_for_shell(word);
}

std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view name, std::string_view extension)
{
    std::string plain(name.substr(0, 100));
    std::ranges::replace_if(
        plain, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-'; }, '_');
    std::error_code ignored; // writing the file reports the error
    std::filesystem::path path = folder / fmt::format("{}.{}", plain, extension);
    for (int number = 2; std::filesystem::exists(path, ignored); ++number)
        path = folder / fmt::format("{}_{}.{}", plain, number, extension);
    return path;
}

std::string saved_notice(const std::filesystem::path& file)
{
    return fmt::format("Saved {}.", file.string());
}

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
