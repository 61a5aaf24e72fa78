#include "app/catalogue/shipped_searches.h"

#include "app/catalogue/shipped_file.h"
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using kernels::Candidate;
using nlohmann::json;

std::optional<double> optional_number(const json& row, const char* name)
{
    const json& value = row.at(name);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

// None with parameters that the stage does not know any more.
std::optional<Candidate> candidate_in(const json& row, const kernels::Stage& stage)
{
    Candidate candidate;
    try {
        candidate.parameters = parameters_of(row, stage);
    } catch (const kernels::Error&) {
        return std::nullopt;
    }
    const auto state = row.at("state").get<std::string>();
    if (state != "right") {
        candidate.state = state == "wrong" ? Candidate::State::wrong : Candidate::State::failed;
        candidate.failure = row.value("failure", "It could not be run.");
        return candidate;
    }
    candidate.state = Candidate::State::right;
    candidate.gflops = row.at("gflops").get<double>();
    candidate.of_cublas = optional_number(row, "of_cublas");
    candidate.timing.median_ms = row.at("median_ms").get<double>();
    candidate.error = optional_number(row, "error").value_or(0);
    return candidate;
}

ShippedSearch search_in(const json& row, const kernels::Stage& stage)
{
    ShippedSearch search{.stage = std::string(stage.slug), .whole = row.at("whole").get<bool>()};
    search.problem =
        kernels::used_part(stage.operation, parse_size(row.at("size").get<std::string>(), {}, stage.operation));
    for (const json& one : row.at("candidates"))
        if (one.at("state").get<std::string>() != "waiting")
            if (std::optional<Candidate> candidate = candidate_in(one, stage))
                search.ranked.push_back(std::move(*candidate));
    std::ranges::stable_sort(search.ranked, [](const Candidate& a, const Candidate& b) {
        return std::pair(a.state != Candidate::State::right, -a.gflops) <
               std::pair(b.state != Candidate::State::right, -b.gflops);
    });
    return search;
}

} // namespace

const ShippedSearch* ShippedSearches::find(std::string_view stage) const
{
    const auto found = std::ranges::find(searches, stage, &ShippedSearch::stage);
    return found == searches.end() ? nullptr : &*found;
}

ShippedSearches read_shipped_searches(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder)
{
    if (folder.empty())
        return {.searches = {}, .missing = "No searches are shipped."};
    ShippedSearches result;
    const auto take = [&](const json& file, const json& row) {
        const auto stage = std::ranges::find(ladder, row.at("stage").get<std::string>(), &kernels::Stage::slug);
        if (stage == ladder.end())
            return;
        ShippedSearch search = search_in(row, *stage);
        search.origin = fmt::format("searched on {}, {}, shipped with gemmscope", file.at("device").get<std::string>(),
                                    file.at("date").get<std::string>());
        if (!search.ranked.empty())
            result.searches.push_back(std::move(search));
    };
    result.missing = read_shipped_rows(folder / "candidates.json", {.list = "searches", .what = "searches"}, take);
    return result;
}

} // namespace app
