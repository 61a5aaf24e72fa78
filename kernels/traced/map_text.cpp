#include "traced/map_text.h"

#include "error.h"
#include "traced/source_text.h"

#include <fmt/format.h>

namespace traced {

std::optional<WrittenMap> map_in(const std::string& text, const Names& names, const std::string& words)
{
    if (!text.starts_with("map(") || !text.ends_with(')'))
        return {};
    const std::vector<std::string> parts = split_at_commas(std::string_view(text).substr(4, text.size() - 5));
    if (parts.size() < 3 || parts.size() > 4)
        throw kernels::Error(fmt::format("{} gets {}; a tensor map is written {}.", words, text, map_form));
    const std::size_t colon = parts[0].find(':');
    WrittenMap map{.buffer = parts[0].substr(0, colon),
                   .type = colon == std::string::npos ? "half" : parts[0].substr(colon + 1),
                   .box = {}};
    const auto number = [&](std::size_t i) {
        const int64_t value = evaluate(parts[i], names, words);
        if (value < 0 || value > 256)
            throw kernels::Error(fmt::format("{} gets {}: {} is {}, and a box has 1 to 256 elements along each side.",
                                             words, text, parts[i], value));
        return static_cast<uint32_t>(value);
    };
    map.box = {.rows = number(1), .cols = number(2), .swizzle = parts.size() > 3 ? number(3) : 0};
    if (bytes_of_type(map.type) == 0)
        throw kernels::Error(fmt::format("{} gets {}: {} is no type of elements.", words, text, map.type));
    return map;
}

} // namespace traced
