#include "viz/text/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace viz {

using recording::Recording;

std::string thousands(uint64_t value)
{
    std::string text = std::to_string(value);
    for (std::size_t place = text.size(); place > 3; place -= 3)
        text.insert(place - 3, 1, ',');
    return text;
}

std::string thousands(double value)
{
    if (value >= 99.95)
        return thousands(static_cast<uint64_t>(std::llround(value)));
    return value >= 9.995 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

std::string counted(uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", thousands(count), noun, count == 1 ? "" : "s");
}

std::vector<std::string> number_runs(const std::vector<uint32_t>& ascending)
{
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < ascending.size();) {
        std::size_t end = i + 1;
        while (end < ascending.size() && ascending[end] == ascending[end - 1] + 1)
            ++end;
        runs.push_back(end - i == 1 ? fmt::format("{}", ascending[i])
                                    : fmt::format("{}-{}", ascending[i], ascending[end - 1]));
        i = end;
    }
    return runs;
}

std::string warps_text(const std::vector<uint32_t>& warps)
{
    return fmt::format("{} {}", warps.size() == 1 ? "warp" : "warps", fmt::join(number_runs(warps), ", "));
}

std::string time_words(double ns)
{
    // From here on, {:.3g} would round to 1000 and print an exponent.
    constexpr double last = 999.5;
    if (ns < last)
        return ns < 9.95 ? fmt::format("{:.2g} ns", std::round(ns * 100) / 100) : fmt::format("{:.0f} ns", ns);
    if (ns < last * 1e3)
        return fmt::format("{:.3g} µs", ns * 1e-3);
    if (ns < last * 1e6)
        return fmt::format("{:.3g} ms", ns * 1e-6);
    return ns < last * 1e9 ? fmt::format("{:.3g} s", ns * 1e-9) : thousands(ns * 1e-9) + " s";
}

std::string bytes_words(double bytes)
{
    const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 3; ++unit)
        bytes /= 1024;
    return bytes < 100 ? fmt::format("{:.3g} {}", bytes, units[unit])
                       : fmt::format("{} {}", thousands(static_cast<uint64_t>(std::llround(bytes))), units[unit]);
}

std::string percent(double share)
{
    if (share == 0)
        return "0%";
    if (std::abs(share) < 0.0005)
        return share > 0 ? "<0.1%" : ">-0.1%";
    return std::abs(share - 1) < 0.0005 ? "100%" : fmt::format("{:.1f}%", 100 * share);
}

std::string change_words(double share)
{
    if (share == 0)
        return "the same";
    return std::abs(share) < 0.1 ? fmt::format("{:+.1f}%", 100 * share) : fmt::format("{:+.0f}%", 100 * share);
}

std::string size_words(const recording::Problem& problem)
{
    if (problem.M == 1 && problem.K == 1)
        return counted(problem.N, "element");
    if (problem.M == problem.N && problem.N == problem.K)
        return fmt::format("{}³", problem.N);
    return fmt::format("{} × {} × {}", problem.M, problem.N, problem.K);
}

recording::Missing not_recorded_on_gpu(const Recording& recording)
{
    return recording.device.backend == "cpu" ? recording::Missing::recorded_on_cpu : recording::Missing::not_recorded;
}

recording::Measured<double> registers(const Recording& recording)
{
    if (!recording.resources)
        return not_recorded_on_gpu(recording);
    return {static_cast<double>(recording.resources->registers_per_thread), recording::provenance_of(recording, false)};
}

recording::SharedTotals shared_totals(const recording::Totals& totals)
{
    recording::SharedTotals all = totals.shared_load;
    all += totals.shared_store;
    return all += totals.shared_atomic_cost;
}

std::string upper_case(std::string words)
{
    std::ranges::transform(words, words.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return words;
}

std::string source_line(const Recording& recording, uint32_t line)
{
    const std::string& text = recording.source().text;
    std::size_t begin = 0;
    for (uint32_t i = 1; i < line; ++i) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos)
            return {};
        ++begin;
    }
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string whole = text.substr(begin, end - begin);
    const std::size_t first = whole.find_first_not_of(" \t");
    const std::size_t last = whole.find_last_not_of(" \t\r");
    return line == 0 || first == std::string::npos ? std::string() : whole.substr(first, last - first + 1);
}

} // namespace viz
