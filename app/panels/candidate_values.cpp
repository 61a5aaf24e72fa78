#include "app/panels/candidate_values.h"

#include "viz/text/figures.h"

#include <algorithm>
#include <map>

namespace app {

namespace {

using kernels::Candidate;

constexpr std::size_t best_ones = 10;

// Names the parameters that differ among the fastest candidates, and the values that they share.
viz::Rich what_the_best_share(const kernels::Stage& stage, std::span<const Candidate> best)
{
    const SharedParameters parameters = shared_parameters(best, stage.parameters.size());
    const viz::Value::List same = values_of(stage, best.front(), parameters.same);
    viz::Value::List differing;
    for (const std::size_t i : parameters.differing)
        differing.emplace_back(stage.parameters[i].name);
    if (differing.empty())
        return viz::rich("The {} fastest have all parameters in common.", best.size());
    if (same.empty())
        return viz::rich("The {} fastest differ in {}, and agree in nothing.", best.size(), differing);
    return viz::rich("The {} fastest differ in {}. What they share, {}, slower ones may have too.", best.size(),
                     differing, same);
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

viz::Value::List values_of(const kernels::Stage& stage, const Candidate& candidate,
                           std::span<const std::size_t> parameters)
{
    viz::Value::List values;
    for (const std::size_t i : parameters) {
        const std::string& name = stage.parameters[i].name;
        values.emplace_back(name + " " + kernels::value_text(name, candidate.parameters[i]));
    }
    return values;
}

SharedParameters shared_parameters(std::span<const Candidate> ranked, std::size_t parameters)
{
    SharedParameters result;
    for (std::size_t i = 0; i < parameters; ++i) {
        const bool same = std::ranges::all_of(
            ranked, [&](const Candidate& one) { return one.parameters[i] == ranked.front().parameters[i]; });
        (same && ranked.size() > 1 ? result.same : result.differing).push_back(i);
    }
    return result;
}

double cublas_beside(std::span<const Candidate> ranked)
{
    std::vector<double> gflops;
    for (const Candidate& one : ranked.first(right_ones(ranked)))
        if (one.of_cublas && *one.of_cublas > 0)
            gflops.push_back(one.gflops / *one.of_cublas);
    if (gflops.empty())
        return 0;
    std::ranges::nth_element(gflops, gflops.begin() + static_cast<std::ptrdiff_t>(gflops.size() / 2));
    return gflops[gflops.size() / 2];
}

viz::Rich lesson_of(const kernels::Stage& stage, std::span<const Candidate> ranked)
{
    const std::size_t count = right_ones(ranked);
    if (count < 2)
        return {};
    const double best = ranked.front().gflops;
    const auto near =
        std::ranges::count_if(ranked.first(count), [&](const Candidate& one) { return one.gflops >= 0.97 * best; });
    std::vector<viz::Rich> lesson{
        viz::rich("The fastest of {} makes **{}** GFLOPS. The one in the middle makes {} of that, the slowest {}; {} "
                  "{} within 3% of the fastest.",
                  count, viz::thousands(best), viz::share(ranked[count / 2].gflops / best),
                  viz::share(ranked[count - 1].gflops / best), near, near == 1 ? "lies" : "lie"),
        what_the_best_share(stage, ranked.first(std::min(count, best_ones)))};
    // Counts the values of which both a fast and a slow candidate ran. Such a value alone decides nothing.
    std::size_t open = 0, values = 0;
    for (const ValueSpeeds& one : speeds_by_value(ranked, stage.parameters.size())) {
        ++values;
        open += ranked[one.candidates.front()].gflops >= 0.9 * best &&
                ranked[one.candidates.back()].gflops <= ranked[count / 2].gflops;
    }
    if (values > 0)
        lesson.push_back(
            viz::rich("With {} of the {} values below one gets within 10% of the fastest, and also into the slower "
                      "half. A value is good or bad only together with the others. Registers, shared memory, "
                      "blocks per SM and waves all change with them; so one measures.",
                      open, values));
    return viz::joined(std::move(lesson));
}

} // namespace app
