#include "base/field_words.h"

#include "error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernels {

namespace {

// Returns the text before the closing quotation mark, and removes both from `text`.
std::string quoted_value(const std::string& name, std::string_view& text)
{
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            return value;
        }
        if (const std::string_view two = text.substr(i, 2); two == R"(\")" || two == R"(\\)")
            ++i;
        value += text[i];
    }
    throw Error(fmt::format("\"{}=\" has a quotation mark that is not closed.", name));
}

std::string text_of(const Word& word)
{
    if (word.value.empty())
        return word.name;
    if (word.value.find_first_of(" \"") == std::string::npos)
        return word.name + "=" + word.value;
    std::string text = word.name + "=\"";
    for (const char c : word.value)
        text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return text + '"';
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

std::string text_of(std::span<const Word> words)
{
    std::string text;
    for (const Word& word : words)
        text += (text.empty() ? "" : " ") + text_of(word);
    return text;
}

std::vector<std::string> parts_of(std::string_view value)
{
    std::vector<std::string> parts;
    while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        parts.emplace_back(value.substr(0, comma));
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return parts;
}

void refuse_word(const Word& word, std::string_view needs)
{
    throw Error(fmt::format("\"{}={}\" needs {}.", word.name, word.value, needs));
}

void refuse_word(const Word& word, std::span<const std::string_view> valid)
{
    refuse_word(word, fmt::format("one of {}", fmt::join(valid, ", ")));
}

void refuse_unknown_word(std::string_view what, std::string_view word, std::string_view valid)
{
    throw Error(fmt::format("{} has no \"{}\"; it has {}.", what, word, valid));
}

std::pair<std::string, std::string> named_value(const Word& word)
{
    const std::size_t colon = word.value.find(':');
    if (colon == std::string::npos)
        refuse_word(word, "a name and a value, such as BK:16");
    return {word.value.substr(0, colon), word.value.substr(colon + 1)};
}

} // namespace kernels
