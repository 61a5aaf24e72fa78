#include "injection/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace injection {

namespace {

// Returns the position of the first `wanted` outside all brackets, or npos.
std::size_t outside(std::string_view text, std::string_view wanted, std::size_t from = 0)
{
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (depth == 0 && text.substr(i).starts_with(wanted))
            return i;
        if (text[i] == '<' || text[i] == '(' || text[i] == '{' || text[i] == '[')
            ++depth;
        else if (text[i] == '>' || text[i] == ')' || text[i] == '}' || text[i] == ']')
            depth = std::max(0, depth - 1);
    }
    return std::string_view::npos;
}

std::string_view without_namespaces(std::string_view name)
{
    for (std::size_t at = outside(name, "::"); at != std::string_view::npos; at = outside(name, "::"))
        name.remove_prefix(at + 2);
    return name;
}

} // namespace

std::string short_name(std::string_view name, std::size_t most)
{
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    std::string plain(name);
    for (std::size_t at = plain.find(unnamed); at != std::string::npos; at = plain.find(unnamed))
        plain.erase(at, unnamed.size());
    name = plain;
    if (const std::size_t arguments = outside(name, "("); arguments != std::string_view::npos && arguments > 0)
        name = name.substr(0, arguments);
    for (std::size_t space = outside(name, " "); space != std::string_view::npos; space = outside(name, " "))
        name.remove_prefix(space + 1); // removes the return type
    name = without_namespaces(name);
    const std::size_t open = name.find('<');
    if (name.size() <= most)
        return std::string(name);
    if (open == std::string_view::npos || !name.ends_with('>')) { // both ends of the list identify it
        const std::size_t half = (most - 3) / 2;
        return fmt::format("{}...{}", name.substr(0, half), name.substr(name.size() - half));
    }
    return std::string(name.substr(0, std::min(open, most))) + "<...>";
}

} // namespace injection
