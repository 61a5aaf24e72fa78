#include "app/text/format.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <vector>

namespace app {

std::string size_text(const recording::Problem& problem, kernels::Operation operation)
{
    if (operation == kernels::Operation::vector_add)
        return thousands(uint64_t{problem.N}) + " elements";
    if (!kernels::facts(operation).uses_k)
        return fmt::format("{} × {}", problem.M, problem.N);
    if (problem.M == problem.N && problem.N == problem.K)
        return std::to_string(problem.M) + "³";
    return fmt::format("{} × {} × {}", problem.M, problem.N, problem.K);
}

std::string parameters_text(const kernels::Stage& stage, const kernels::ParameterValues& values,
                            std::string_view equals, std::string_view between)
{
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{}{}{}", text.empty() ? "" : between, stage.parameters[i].name, equals,
                            kernels::value_text(stage.parameters[i].name, values[i]));
    return text;
}

std::string changed_text(const kernels::Stage& stage, const kernels::ParameterValues& now,
                         const kernels::ParameterValues& before, std::optional<std::size_t> except)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(now.size(), before.size()); ++i)
        if (i != except && now[i] != before[i])
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage.parameters[i].name,
                                kernels::value_text(stage.parameters[i].name, now[i]));
    return text;
}

std::string also_changed(const kernels::Stage& stage, const kernels::ParameterValues& now,
                         const kernels::ParameterValues& before, std::size_t index)
{
    const std::string others = changed_text(stage, now, before, index);
    return others.empty() ? ""
                          : fmt::format("This value of {} needs others, too: {}. Ctrl+Z takes all of them back.",
                                        stage.parameters[index].name, others);
}

std::string factor(float value)
{
    return fmt::format("{:g}", value);
}

std::string age(std::chrono::seconds passed)
{
    const auto seconds = std::max<int64_t>(passed.count(), 0);
    if (seconds < 60)
        return "just now";
    if (seconds < 3600)
        return fmt::format("{} min ago", seconds / 60);
    if (seconds < 48 * 3600)
        return fmt::format("{} h ago", seconds / 3600);
    return fmt::format("{} days ago", seconds / (24 * 3600));
}

std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view iso)
{
    std::tm time{};
    const std::string text(iso);
    const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
    if (end == nullptr || *end != '\0')
        return std::nullopt;
    return std::chrono::system_clock::from_time_t(timegm(&time));
}

namespace {

// Returns the integers of a text. Returns nothing if it contains anything but them and the separators.
std::optional<std::vector<uint64_t>> numbers(std::string_view text, std::string_view separators)
{
    std::vector<uint64_t> found;
    std::size_t at = 0;
    while (at < text.size()) {
        if (separators.find(text[at]) != std::string_view::npos) {
            ++at;
            continue;
        }
        uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
        if (error != std::errc{})
            return std::nullopt;
        found.push_back(value);
        at = static_cast<std::size_t>(end - text.data());
    }
    return found;
}

bool fits(uint64_t value, uint32_t largest)
{
    return value >= 1 && value <= largest;
}

void require_sides(const std::vector<uint64_t>& sides, uint32_t largest)
{
    for (const uint64_t side : sides)
        if (!fits(side, largest))
            throw kernels::Error(
                fmt::format("Each side must lie between 1 and {} here.", thousands(uint64_t{largest})));
}

constexpr std::string_view between_sides = "xX*\xc3\x97 "; // the two bytes are the UTF-8 multiplication sign

} // namespace

recording::Problem parse_extent(std::string_view text, uint32_t largest)
{
    const auto sides = numbers(text, between_sides);
    if (!sides || (sides->size() != 1 && sides->size() != 3))
        throw kernels::Error(
            fmt::format("\"{}\" is not a size; write one number for a cube (128) or M x N x K (128x64x256).", text));
    require_sides(*sides, largest);
    const auto side = [&](std::size_t i) { return static_cast<uint32_t>((*sides)[sides->size() == 1 ? 0 : i]); };
    return {.M = side(0), .N = side(1), .K = side(2)};
}

recording::Problem parse_sides(std::string_view text, uint32_t largest)
{
    const auto sides = numbers(text, between_sides);
    if (!sides || sides->size() != 2)
        throw kernels::Error(fmt::format("\"{}\" is not a size; write M x N (6x4).", text));
    require_sides(*sides, largest);
    return {.M = static_cast<uint32_t>((*sides)[0]), .N = static_cast<uint32_t>((*sides)[1])};
}

uint32_t parse_count(std::string_view text, uint32_t largest)
{
    std::string digits;
    for (const char c : text)
        if (c != ',' && c != ' ')
            digits += c;
    const auto found = numbers(digits, "");
    if (!found || found->size() != 1 || !fits(found->front(), largest))
        throw kernels::Error(fmt::format("Write one whole number between 1 and {}.", thousands(uint64_t{largest})));
    return static_cast<uint32_t>(found->front());
}

float parse_factor(std::string_view text)
{
    float value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        throw kernels::Error(fmt::format("\"{}\" is not a number; write one such as 1, 0.5 or -2.", text));
    return value;
}

std::string block_text(const recording::Index3& block)
{
    return block.z == 0 ? fmt::format("({},{})", block.x, block.y)
                        : fmt::format("({},{},{})", block.x, block.y, block.z);
}

} // namespace app
