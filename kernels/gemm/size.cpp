#include "gemm/size.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <random>
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

namespace {

// std::mt19937 yields the same numbers everywhere; the standard distributions do not.
class Draw {
public:
    explicit Draw(uint32_t seed) : numbers_(seed) {}

    // Draws from `least` to `most`, uniform in the logarithm.
    double log_uniform(double least, double most)
    {
        const double share = static_cast<double>(numbers_()) / 4294967296.0;
        return least * std::pow(most / least, share);
    }

private:
    std::mt19937 numbers_;
};

struct Sides {
    double least, most;
};
struct Kind {
    Sides M, N, K;
};
constexpr Sides any{64, 8192}, large{8192, 65536}, small{64, 512};
constexpr Kind plain{any, any, any};
constexpr Kind special[] = {{large, small, any}, {small, large, any}, {small, small, large}};
constexpr uint32_t multiples[] = {64, 8, 1};

} // namespace

std::vector<recording::Problem> random_shapes(std::size_t count, uint32_t seed)
{
    Draw draw(seed);
    std::vector<recording::Problem> shapes;
    for (std::size_t i = 0; i < count; ++i) {
        const Kind& kind = i % 5 == 4 ? special[i / 5 % std::size(special)] : plain;
        const uint32_t multiple = multiples[i % std::size(multiples)];
        const auto side = [&](const Sides& sides) {
            const double drawn = draw.log_uniform(sides.least, sides.most);
            const auto times = static_cast<uint32_t>(std::lround(drawn / multiple));
            return std::clamp(times * multiple, static_cast<uint32_t>(sides.least), static_cast<uint32_t>(sides.most));
        };
        const uint32_t M = side(kind.M), N = side(kind.N), K = side(kind.K);
        shapes.push_back({.M = M, .N = N, .K = K});
    }
    return shapes;
}

} // namespace kernels
