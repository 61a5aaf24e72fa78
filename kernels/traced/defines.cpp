#include "traced/defines.h"

#include "error.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace traced {

namespace {

// "NAME" or "NAME(a, b, ...)".
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

// Returns whether the value stays on one line; a backslash at its end would join the next line.
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
