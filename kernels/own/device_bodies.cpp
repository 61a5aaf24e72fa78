#include "own/device_bodies.h"

#include "traced/source_text.h"
#include "traced/words.h"

namespace own {

namespace {

std::size_t closing_bracket(std::string_view code, std::size_t open)
{
    return traced::closing_bracket(code, open, "{([", "})]");
}

// Returns where the body of the function declared at `at` begins; npos if it has none.
std::size_t body_of(std::string_view code, std::size_t at)
{
    bool parameters = false;
    for (std::size_t i = at; i < code.size();) {
        if (code[i] == ';')
            return std::string_view::npos;
        if (code[i] == '{')
            return parameters ? i : std::string_view::npos;
        if (code[i] == '(') {
            const std::size_t close = closing_bracket(code, i);
            if (close == std::string_view::npos)
                return close;
            parameters = true;
            i = close + 1;
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
            const std::size_t close = body == std::string::npos ? body : closing_bracket(code, body);
            if (close != std::string::npos)
                traced::blank(result, body + 1, close);
        }
    }
    return result;
}

} // namespace own
