#include "app/data/searches.h"

#include "app/data/fields_json.h"

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

// The form of a candidate in the file. The stage interprets the parameters. A candidate that is not right has no
// figures.
struct CandidateRow {
    json parameters;
    std::string state;
    Candidate candidate;
};
void fields(auto& visit, kernels::Like<CandidateRow> auto& row)
{
    using kernels::above_zero, kernels::may_be_missing;
    auto& candidate = row.candidate;
    visit("state", row.state);
    visit("parameters", row.parameters, may_be_missing);
    visit("failure", candidate.failure, kernels::unless_empty);
    visit("of_cublas", candidate.of_cublas, above_zero);
    if (row.state == state_name(Candidate::State::right)) {
        visit("gflops", candidate.gflops, above_zero);
        visit("median_ms", candidate.timing.median_ms, above_zero);
        visit("error", candidate.error, may_be_missing);
    } else {
        std::optional<json> none;
        for (const char* const figure : {"gflops", "median_ms", "error"})
            visit(figure, none);
    }
}

struct SearchRow {
    std::string gpu, origin;
    bool whole = false;
    std::vector<CandidateRow> candidates;
};
void fields(auto& visit, kernels::Like<SearchRow> auto& row)
{
    visit("gpu", row.gpu);
    visit("origin", row.origin, kernels::may_be_missing);
    visit("whole", row.whole);
    visit("candidates", row.candidates);
}

CandidateRow row_of(const Candidate& candidate, const kernels::Stage& stage)
{
    CandidateRow row{.parameters = parameters_json(stage, candidate.parameters),
                     .state = std::string(state_name(candidate.state)),
                     .candidate = candidate};
    if (candidate.state != Candidate::State::right)
        row.candidate.of_cublas.reset();
    return row;
}

// Returns nothing for a waiting candidate, and for parameters that the stage no longer has.
std::optional<Candidate> candidate_of(const CandidateRow& row, const kernels::Stage& stage)
{
    const auto parameters = parameters_of(row.parameters, stage);
    Candidate candidate = row.candidate;
    candidate.state = state_from(row.state);
    if (!parameters || candidate.state == Candidate::State::waiting)
        return std::nullopt;
    candidate.parameters = *parameters;
    if (candidate.state != Candidate::State::right && candidate.failure.empty())
        candidate.failure = "It could not be run.";
    return candidate;
}

} // namespace

std::string_view state_name(Candidate::State state)
{
    return std::ranges::find(states, state, &std::pair<Candidate::State, const char*>::first)->second;
}

json to_json(const TriedParameters& search, const kernels::Stage& stage)
{
    SearchRow row{.gpu = search.gpu,
                  .origin = "measured: on " + search.gpu + ", median of runs with cuBLAS in between",
                  .whole = search.whole,
                  .candidates = {}};
    for (const Candidate& candidate : search.ranked)
        row.candidates.push_back(row_of(candidate, stage));
    json result = to_named_json(row);
    result["stage"] = search.stage;
    result["size"] = kernels::size_name(search.problem, stage.operation);
    return result;
}

std::optional<TriedParameters> tried_parameters_from(const json& json, const Ladder& ladder)
{
    const std::optional<kernels::Job> job = job_in(json, ladder);
    if (!job)
        return std::nullopt;
    const auto row = from_named_json<SearchRow>(json);
    TriedParameters search{.stage = std::string(job->stage->slug),
                           .problem = job->problem,
                           .gpu = row.gpu,
                           .ranked = {},
                           .whole = row.whole,
                           .from = {}};
    for (const CandidateRow& one : row.candidates)
        if (std::optional<Candidate> candidate = candidate_of(one, *job->stage))
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
        [&](const json&, const recording::Provenance& from) { made_on = from; },
        [&](std::string_view, const json& row) {
            std::optional<TriedParameters> search = tried_parameters_from(row, ladder);
            if (!search || search->ranked.empty())
                return;
            search->from = made_on;
            result.searches.push_back(std::move(*search));
        });
    return result;
}

} // namespace app
