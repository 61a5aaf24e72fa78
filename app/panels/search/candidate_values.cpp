#include "app/panels/search/candidate_values.h"

#include "app/shell/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace app {

namespace {

using kernels::Candidate;

constexpr std::size_t best_ones = 10;

// "BM 128 (6 of 10)": the commonest value of each parameter that differs among the first ones.
std::string what_the_best_share(const kernels::Stage& stage, std::span<const Candidate> best)
{
    std::string same, differing;
    for (std::size_t i = 0; i < stage.parameters.size(); ++i) {
        std::map<int, std::size_t> counts;
        for (const Candidate& one : best)
            ++counts[one.parameters[i]];
        std::string& list = counts.size() == 1 ? same : differing;
        list += fmt::format("{}{}", list.empty() ? "" : ", ", stage.parameters[i].name);
        if (counts.size() == 1)
            list += " " + kernels::value_text(stage.parameters[i].name, counts.begin()->first);
    }
    if (differing.empty())
        return fmt::format(" The {} fastest have all parameters in common.", best.size());
    return fmt::format(" The {} fastest differ in {}{}.", best.size(), differing,
                       same.empty() ? ", and agree in nothing"
                                    : "; what they share, " + same + ", slower ones may have too");
}

} // namespace

std::size_t right_ones(std::span<const Candidate> ranked)
{
    return static_cast<std::size_t>(std::ranges::count(ranked, Candidate::State::right, &Candidate::state));
}

std::vector<ValueSpeeds> speeds_by_value(std::span<const Candidate> ranked, std::size_t parameters)
{
    std::vector<ValueSpeeds> result;
    const std::size_t count = right_ones(ranked);
    for (std::size_t parameter = 0; parameter < parameters; ++parameter) {
        std::map<int, std::vector<std::size_t>> by_value;
        for (std::size_t i = 0; i < count; ++i)
            by_value[ranked[i].parameters[parameter]].push_back(i);
        if (by_value.size() < 2)
            continue;
        for (auto& [value, candidates] : by_value)
            result.push_back({parameter, value, std::move(candidates)});
    }
    return result;
}

std::string lesson_of(const kernels::Stage& stage, std::span<const Candidate> ranked)
{
    const std::size_t count = right_ones(ranked);
    if (count < 2)
        return "";
    const double best = ranked.front().gflops;
    const auto near =
        std::ranges::count_if(ranked.first(count), [&](const Candidate& one) { return one.gflops >= 0.97 * best; });
    std::string text = fmt::format(
        "The fastest of {} makes {} GFLOPS, the one in the middle {} of that, the slowest {}; {} lie within 3% of "
        "the fastest.",
        count, thousands(best), percent(ranked[count / 2].gflops / best), percent(ranked[count - 1].gflops / best),
        near);
    text += what_the_best_share(stage, ranked.first(std::min(count, best_ones)));
    // A value with which both a fast and a slow kernel can be made does not decide.
    std::size_t open = 0, values = 0;
    for (const ValueSpeeds& one : speeds_by_value(ranked, stage.parameters.size())) {
        ++values;
        open += ranked[one.candidates.front()].gflops >= 0.9 * best &&
                ranked[one.candidates.back()].gflops <= ranked[count / 2].gflops;
    }
    if (values > 0)
        text += fmt::format(
            " With {} of the {} values below one gets within 10% of the fastest and also into the slower half: "
            "a value is good or bad only together with the others. Registers, shared memory, blocks per SM and "
            "waves all jump with them; so one measures.",
            open, values);
    return text;
}

} // namespace app
