#include "own/device_bodies.h"

#include "traced/source_text.h"

#include <algorithm>

namespace own {

namespace {

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
    const std::string code = traced::only_code(text);
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
