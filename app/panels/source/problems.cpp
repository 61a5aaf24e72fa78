#include "app/panels/source/problems.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace app {

namespace {

std::optional<uint32_t> number_at(std::string_view text, std::size_t at)
{
    uint32_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), value);
    return error == std::errc() && value > 0 ? std::optional(value) : std::nullopt;
}

// Parses "NAME.cu(12): error: words" of NVRTC and nvcc, and "NAME.cu:12:5: error: words" of nvcc's host compiler.
std::optional<SourceProblem> compiled(std::string_view line, std::string_view file)
{
    const std::size_t error = line.find("error: "), at = line.find(file);
    if (error == std::string_view::npos || at == std::string_view::npos || at > error)
        return std::nullopt;
    const std::size_t after = at + file.size();
    const bool separated = after < line.size() && (line[after] == ':' || line[after] == '(');
    const std::optional<uint32_t> number = separated ? number_at(line, after + 1) : std::nullopt;
    if (!number)
        return std::nullopt;
    return SourceProblem{*number, std::string(line.substr(error + 7))};
}

// Finds "line 12" in a sentence.
SourceProblem in_words(std::string_view said)
{
    constexpr std::string_view word = "line ";
    for (std::size_t at = said.find(word); at != std::string_view::npos; at = said.find(word, at + 1))
        if (const auto number = number_at(said, at + word.size()))
            return {*number, std::string(said)};
    return {0, std::string(said)};
}

} // namespace

std::vector<SourceProblem> problems_in(std::string_view said, std::string_view file)
{
    std::vector<SourceProblem> result;
    for (std::size_t begin = 0; begin < said.size();) {
        const std::size_t end = std::min(said.find('\n', begin), said.size());
        if (const auto one = compiled(said.substr(begin, end - begin), file))
            result.push_back(*one);
        begin = end + 1;
    }
    if (result.empty() && !said.empty())
        result.push_back(in_words(said));
    return result;
}

} // namespace app
