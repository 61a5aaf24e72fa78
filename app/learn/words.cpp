#include "app/learn/words.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace app {

namespace {

// What stands before the quotation mark that closes it, which is taken off `text` with it.
std::string quoted_value(const std::string& name, std::string_view& text)
{
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            return value;
        }
        if (text.substr(i, 2) == "\\\"")
            ++i;
        value += text[i];
    }
    throw kernels::Error(fmt::format("\"{}=\" has a quotation mark that is not closed.", name));
}

} // namespace

std::vector<Word> words_of(std::string_view text)
{
    std::vector<Word> words;
    while (true) {
        const std::size_t begin = text.find_first_not_of(' ');
        if (begin == std::string_view::npos)
            return words;
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find_first_of("= "), text.size());
        Word word{std::string(text.substr(0, end)), {}};
        text.remove_prefix(end);
        if (text.starts_with("=\"")) {
            text.remove_prefix(2);
            word.value = quoted_value(word.name, text);
        } else if (text.starts_with('=')) {
            const std::size_t close = std::min(text.find(' '), text.size());
            word.value = text.substr(1, close - 1);
            text.remove_prefix(close);
        }
        words.push_back(std::move(word));
    }
}

std::string quoted(std::string_view name, std::string_view value)
{
    std::string text = fmt::format("{}=\"", name);
    for (const char c : value)
        text += c == '"' ? std::string("\\\"") : std::string(1, c);
    return text + '"';
}

uint32_t number_of(const Word& word, std::string_view text)
{
    uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
        throw kernels::Error(fmt::format("\"{}={}\" needs a whole number.", word.name, word.value));
    return value;
}

uint32_t number_of(const Word& word)
{
    return number_of(word, word.value);
}

std::vector<std::string> parts_of(const Word& word)
{
    std::vector<std::string> parts;
    std::string_view rest = word.value;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        parts.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return parts;
}

std::string for_shell(std::string_view text)
{
    std::string result;
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + result + "'";
}

} // namespace app
