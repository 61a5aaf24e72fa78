#include "own/device_bodies.h"

#include <algorithm>
#include <cctype>

namespace own {

namespace {

bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// With comments and what stands between quotes as blanks, so that their brackets do not count.
std::string only_code(std::string_view text)
{
    std::string code(text);
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string_view rest = std::string_view(code).substr(i);
        std::size_t end = i;
        if (rest.starts_with("//")) {
            end = std::min(code.find('\n', i), code.size());
        } else if (rest.starts_with("/*")) {
            end = std::min(code.find("*/", i), code.size() - 2) + 2;
        } else if (code[i] == '"' || (code[i] == '\'' && (i == 0 || !is_word(code[i - 1])))) { // no digits' separator
            const char quote = code[i];
            for (end = i + 1; end < code.size() && code[end] != quote; ++end)
                end += code[end] == '\\';
            end = std::min(end + 1, code.size());
        }
        for (std::size_t at = i; at < end; ++at)
            if (code[at] != '\n')
                code[at] = ' ';
        i = std::max(i, end - (end > i));
    }
    return code;
}

// The place behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_bracket(std::string_view code, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        depth += code[i] == '{' || code[i] == '(' || code[i] == '[';
        depth -= code[i] == '}' || code[i] == ')' || code[i] == ']';
        if (depth == 0)
            return i + 1;
    }
    return std::string_view::npos;
}

// Where the body of the function begins whose declaration begins at `at`; npos where it has none.
std::size_t body_of(std::string_view code, std::size_t at)
{
    bool parameters = false;
    for (std::size_t i = at; i < code.size();) {
        if (code[i] == ';')
            return std::string_view::npos;
        if (code[i] == '{')
            return parameters ? i : std::string_view::npos;
        if (code[i] == '(') {
            const std::size_t end = behind_bracket(code, i);
            if (end == std::string_view::npos)
                return end;
            parameters = true;
            i = end;
        } else {
            ++i;
        }
    }
    return std::string_view::npos;
}

} // namespace

std::string without_device_bodies(std::string_view text)
{
    std::string result(text);
    const std::string code = only_code(text);
    for (const std::string_view word : {"__global__", "__device__"}) {
        for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + word.size())) {
            const std::size_t line = code.rfind('\n', at) + 1;
            const bool shared = code.substr(line, at - line).find("__host__") != std::string::npos ||
                                std::string_view(code).substr(at + word.size()).starts_with(" __host__");
            const std::size_t body = shared ? std::string::npos : body_of(code, at + word.size());
            const std::size_t end = body == std::string::npos ? body : behind_bracket(code, body);
            if (end == std::string::npos)
                continue;
            for (std::size_t i = body + 1; i + 1 < end; ++i)
                if (result[i] != '\n')
                    result[i] = ' ';
        }
    }
    return result;
}

} // namespace own
