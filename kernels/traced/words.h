// Words in the text of a CUDA file.
#pragma once

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

// The first place in the code, from one on, of a whole word; npos: there is none.
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

} // namespace traced
