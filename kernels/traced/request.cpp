#include "traced/request.h"

#include "error.h"
#include "traced/source_text.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace traced {

namespace {

float number(const std::string& key, const std::string& value)
{
    float result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size())
        throw kernels::Error(
            fmt::format("'{}' is no number, in {}={} of the comment '// gemmscope:'.", value, key, value));
    return result;
}

} // namespace

Request with_facts_of_file(Request request, const std::string& text)
{
    const auto own = [](std::string& value, const std::string& said) {
        if (value.empty())
            value = said;
    };
    const Request asked = request;
    for (const auto& [key, value] : facts_in(text)) {
        if (key == "kernel")
            own(request.kernel, value);
        else if (key == "grid")
            own(request.grid, value);
        else if (key == "block")
            own(request.block, value);
        else if (key == "cluster")
            own(request.cluster, value);
        else if (key == "size")
            own(request.size, value);
        else if (key == "shared")
            own(request.shared, value);
        else if (key == "check")
            own(request.check, value);
        else if (key == "args" && asked.arguments.empty())
            request.arguments = split_at_commas(value);
        else if (key == "buffer" && asked.buffers.empty())
            request.buffers.push_back(value);
        else if (key == "include" && asked.include_folders.empty())
            request.include_folders.push_back((request.file.parent_path() / value).string());
        else if (key == "define" && asked.defines.empty())
            request.defines.push_back(value);
        else if (key == "alpha")
            request.alpha = asked.alpha ? asked.alpha : number(key, value);
        else if (key == "beta")
            request.beta = asked.beta ? asked.beta : number(key, value);
        else if (key != "args" && key != "buffer" && key != "include" && key != "define")
            throw kernels::Error(fmt::format("The comment '// gemmscope:' has {}=, which it does not take; it takes "
                                             "kernel, grid, block, cluster, args, size, "
                                             "alpha, beta, shared, buffer, include, define and check.",
                                             key));
    }
    return request;
}

namespace {

// Returns whether the text is "NAME" or "NAME(a, b, ...)".
bool is_macro(std::string_view text)
{
    const std::size_t end = std::min(text.find('('), text.size());
    const std::string_view name = text.substr(0, end), parameters = text.substr(end);
    const bool is_name = !name.empty() && std::ranges::all_of(name, is_word) &&
                         std::string_view("0123456789").find(name[0]) == name.npos;
    const auto of_parameters = [](char c) { return is_word(c) || c == ',' || c == ' ' || c == '.'; };
    return is_name &&
           (parameters.empty() || (parameters.size() > 1 && parameters.ends_with(')') &&
                                   std::ranges::all_of(parameters.substr(1, parameters.size() - 2), of_parameters)));
}

// Returns whether the value stays on one line. A backslash at its end would append the next line.
bool is_of_one_line(std::string_view value)
{
    const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
    const std::size_t last = value.find_last_not_of(" \t");
    return std::ranges::none_of(value, is_control) && (last == std::string_view::npos || value[last] != '\\');
}

} // namespace

std::string define_lines(const std::vector<std::string>& defines)
{
    std::string lines;
    for (const std::string& define : defines) {
        const std::size_t equals = std::min(define.find('='), define.size());
        const std::string macro = define.substr(0, equals);
        const std::string value = equals < define.size() ? define.substr(equals + 1) : "1";
        if (!is_macro(macro))
            throw kernels::Error(fmt::format("'{}' cannot be defined, for '{}' is no macro's name; give one such as "
                                             "TILE=16 or TWICE(x)=(2*(x)), with letters, digits and underscores.",
                                             define, macro));
        if (!is_of_one_line(value))
            throw kernels::Error(
                fmt::format("The macro {} cannot be defined, for its value has an end of line or another control "
                            "character, or a backslash at its end; give a value of one line.",
                            macro));
        lines += fmt::format("#define {} {}\n", macro, value);
    }
    return lines;
}

} // namespace traced
