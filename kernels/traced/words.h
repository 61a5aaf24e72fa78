// Searches for words in the text of a CUDA file.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace traced {

inline bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

inline std::string trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos
               ? std::string()
               : std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// Returns the position of the first whole word at or after `from`, or npos if there is none.
inline std::size_t find_word(std::string_view code, std::string_view word, std::size_t from = 0)
{
    for (std::size_t at = code.find(word, from); at != std::string_view::npos; at = code.find(word, at + 1))
        if ((at == 0 || !is_word(code[at - 1])) &&
            (at + word.size() == code.size() || !is_word(code[at + word.size()])))
            return at;
    return std::string_view::npos;
}

inline bool has_word(std::string_view code, std::string_view word)
{
    return find_word(code, word) != std::string_view::npos;
}

// Returns the word that begins at this position, or an empty text if none does.
inline std::string word_at(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && is_word(text[end]))
        ++end;
    return std::string(text.substr(at, end - at));
}

// Returns the position of the bracket that closes the one at `open`, or npos if there is none. `opening` and `closing`
// list the kinds of brackets: "({", ")}".
inline std::size_t closing_bracket(std::string_view code, std::size_t open, std::string_view opening,
                                   std::string_view closing)
{
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        depth += opening.find(code[i]) != std::string_view::npos;
        depth -= closing.find(code[i]) != std::string_view::npos;
        if (depth == 0)
            return i;
    }
    return std::string_view::npos;
}

// Returns the position after the closing bracket, or the code's end if there is none.
inline std::size_t after_bracket(std::string_view code, std::size_t open, std::string_view opening,
                                 std::string_view closing)
{
    return std::min(closing_bracket(code, open, opening, closing), code.size() - 1) + 1;
}

// Replaces the range with blanks. Positions do not change.
inline void blank(std::string& text, std::size_t first, std::size_t end)
{
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n'; }, ' ');
}

} // namespace traced
