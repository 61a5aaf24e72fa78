#include "app/text/command_words.h"

#include "error.h"

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

} // namespace app
