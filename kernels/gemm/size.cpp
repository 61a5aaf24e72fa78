#include "gemm/size.h"

#include "error.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

namespace kernels {

namespace {

constexpr uint32_t largest_extent = 1u << 28; // memory allows less; that limit is reported elsewhere

uint32_t parse_extent(std::string_view digits, const std::string& whole)
{
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1 || value > largest_extent)
        throw Error(fmt::format("'{}' is no size; give N or MxNxK, each from 1 to {}, such as 128 or 1000x33x517 "
                                "(and stages before --size).",
                                whole, largest_extent));
    return value;
}

} // namespace

recording::Problem parse_size(const std::string& text, Operation operation)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = text; parts.size() < 4;) {
        const std::size_t x = rest.find('x');
        parts.push_back(rest.substr(0, x));
        if (x == std::string_view::npos)
            break;
        rest.remove_prefix(x + 1);
    }
    if (parts.size() == 1)
        parts.resize(3, parts.front());
    if (parts.size() == 2 && !facts(operation).uses_k)
        parts.emplace_back("1");
    if (parts.size() != 3)
        parse_extent("", text);
    return {.M = parse_extent(parts[0], text), .N = parse_extent(parts[1], text), .K = parse_extent(parts[2], text)};
}

std::string size_name(const recording::Problem& p, Operation operation)
{
    if (operation == Operation::vector_add || (p.M == p.N && p.N == p.K))
        return std::to_string(p.N);
    if (!facts(operation).uses_k)
        return fmt::format("{}x{}", p.M, p.N);
    return fmt::format("{}x{}x{}", p.M, p.N, p.K);
}

} // namespace kernels
