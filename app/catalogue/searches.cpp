#include "app/catalogue/searches.h"

#include "app/catalogue/fields_json.h"

#include "gemm/size.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

using kernels::Candidate;
using nlohmann::json;

constexpr std::array states{std::pair(Candidate::State::right, "right"), std::pair(Candidate::State::wrong, "wrong"),
                            std::pair(Candidate::State::failed, "failed"),
                            std::pair(Candidate::State::waiting, "not timed")};

Candidate::State state_from(const std::string& name)
{
    if (name == "waiting")
        return Candidate::State::waiting;
    const auto found = std::ranges::find_if(states, [&](const auto& one) { return one.second == name; });
    if (found == states.end())
        throw kernels::Error("state is none that is known");
    return found->first;
}

json to_json(const kernels::Stage& stage, const Candidate& candidate)
{
    const bool right = candidate.state == Candidate::State::right;
    const json none;
    json result = {{"parameters", parameters_json(stage, candidate.parameters)},
                   {"state", state_name(candidate.state)},
                   {"gflops", right ? json(candidate.gflops) : none},
                   {"of_cublas", right ? or_null(candidate.of_cublas) : none},
                   {"median_ms", right ? json(candidate.timing.median_ms) : none},
                   {"error", right ? json(candidate.error) : none}};
    if (!candidate.failure.empty())
        result["failure"] = candidate.failure;
    return result;
}

std::optional<Candidate> candidate_from(const Fields& row, const kernels::Stage& stage)
{
    Candidate candidate{.state = state_from(row.text("state"))};
    const auto parameters = parameters_in(row, stage);
    if (!parameters || candidate.state == Candidate::State::waiting)
        return std::nullopt;
    candidate.parameters = *parameters;
    if (candidate.state != Candidate::State::right) {
        candidate.failure = row.has("failure") ? row.text("failure") : "It could not be run.";
        return candidate;
    }
    candidate.gflops = row.positive("gflops");
    candidate.of_cublas = row.maybe_positive("of_cublas");
    candidate.timing.median_ms = row.positive("median_ms");
    candidate.error = field_of<double>(row.json(), "error", kernels::may_be_missing);
    return candidate;
}

} // namespace

std::string_view state_name(Candidate::State state)
{
    return std::ranges::find(states, state, &std::pair<Candidate::State, const char*>::first)->second;
}

json to_json(const TriedParameters& search, const kernels::Stage& stage)
{
    json candidates = json::array();
    for (const Candidate& candidate : search.ranked)
        candidates.push_back(to_json(stage, candidate));
    return {{"stage", search.stage},
            {"size", kernels::size_name(search.problem, stage.operation)},
            {"gpu", search.gpu},
            {"whole", search.whole},
            {"origin", "measured: on " + search.gpu + ", median of runs with cuBLAS in between"},
            {"candidates", std::move(candidates)}};
}

std::optional<TriedParameters> tried_parameters_from(const Fields& row, const Ladder& ladder)
{
    const kernels::Stage* stage = stage_named(ladder, row.text("stage"));
    if (stage == nullptr)
        return std::nullopt;
    TriedParameters search{.stage = std::string(stage->slug),
                           .problem = problem_in(row, stage->operation),
                           .gpu = row.text("gpu"),
                           .whole = row.flag("whole")};
    for (const json& one : row.list("candidates"))
        if (std::optional<Candidate> candidate = candidate_from(Fields(one), *stage))
            search.ranked.push_back(std::move(*candidate));
    std::ranges::stable_sort(search.ranked, {}, [](const Candidate& one) {
        return std::pair(one.state != Candidate::State::right, -one.gflops);
    });
    return search;
}

const TriedParameters* ShippedSearches::find(std::string_view stage) const
{
    const auto found = std::ranges::find(searches, stage, &TriedParameters::stage);
    return found == searches.end() ? nullptr : &*found;
}

ShippedSearches read_searches(const std::filesystem::path& folder, const Ladder& ladder)
{
    ShippedSearches result;
    recording::Provenance made_on;
    result.missing = read_shipped(
        {.folder = folder, .name = "candidates.json", .lists = {"searches"}},
        [&](const Fields&, const recording::Provenance& from) { made_on = from; },
        [&](std::string_view, const Fields& row) {
            std::optional<TriedParameters> search = tried_parameters_from(row, ladder);
            if (!search || search->ranked.empty())
                return;
            search->from = made_on;
            result.searches.push_back(std::move(*search));
        });
    return result;
}

} // namespace app
