#include "app/cli/shape_summary.h"

#include "gemm/size.h"

#include "viz/analysis/random_shapes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace app {

namespace {

constexpr std::size_t most_listed = 10;

// Of the rows that have that share; 0: none has.
double mean_of(const std::vector<const TimedRow*>& rows, std::optional<double> TimedRow::*share = &TimedRow::of_cublas)
{
    std::vector<double> shares;
    for (const TimedRow* row : rows)
        if (row->*share && *(row->*share) > 0)
            shares.push_back(*(row->*share));
    return viz::geometric_mean(shares);
}

} // namespace

std::vector<ShapeSummary> summaries(std::span<const TimedRow> rows)
{
    std::map<std::string, std::vector<const TimedRow*>> of_stage;
    std::map<std::string, std::size_t> wrong;
    for (const TimedRow& row : rows) {
        wrong[row.slug] += row.missing.empty() && !row.right;
        if (row.right && row.of_cublas && *row.of_cublas > 0)
            of_stage[row.slug].push_back(&row);
    }
    std::vector<ShapeSummary> result;
    for (auto& [stage, shares] : of_stage) {
        std::ranges::stable_sort(shares, {}, [](const TimedRow* row) { return *row->of_cublas; });
        std::vector<const TimedRow*> in_rows;
        std::ranges::copy_if(shares, std::back_inserter(in_rows),
                             [](const TimedRow* row) { return viz::in_whole_rows(row->problem, row->type); });
        ShapeSummary summary{.stage = stage,
                             .shapes = shares.size(),
                             .wrong = wrong[stage],
                             .geometric_mean = mean_of(shares),
                             .aligned_shapes = in_rows.size(),
                             .aligned_mean = mean_of(in_rows),
                             .mean_of_best = mean_of(shares, &TimedRow::of_best),
                             .worst = {}};
        shares.resize(std::min(shares.size(), most_listed));
        summary.worst = std::move(shares);
        result.push_back(std::move(summary));
    }
    return result;
}

namespace {

nlohmann::ordered_json to_json(const ShapeSummary& summary)
{
    nlohmann::ordered_json worst = nlohmann::ordered_json::array();
    for (const TimedRow* row : summary.worst)
        worst.push_back({{"size", kernels::size_name(row->problem, row->operation)}, {"of_cublas", *row->of_cublas}});
    return {{"stage", summary.stage},
            {"shapes", summary.shapes},
            {"wrong", summary.wrong},
            {"geometric_mean_of_cublas", summary.geometric_mean},
            {"aligned_shapes", summary.aligned_shapes},
            {"aligned_geometric_mean_of_cublas", summary.aligned_mean},
            {"geometric_mean_of_best", summary.mean_of_best},
            {"least", worst}};
}

} // namespace

nlohmann::ordered_json print(Output& out, const std::vector<ShapeSummary>& summaries)
{
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    if (summaries.empty())
        return result;
    Table table("summary",
                "stage:< | shapes | geometric_mean_of_cublas=geometric mean of cuBLAS:% | "
                "aligned_shapes=with rows of whole 16 bytes | aligned_geometric_mean_of_cublas=their mean:% | "
                "geometric_mean_of_best=of the fastest of its algorithms:% | wrong=wrong results");
    Table least("least", "stage:< | size=least:< | of_cublas=of cuBLAS:%");
    for (const ShapeSummary& summary : summaries) {
        result.push_back(to_json(summary));
        table.rows.push_back(result.back());
        if (summary.mean_of_best == 0) // those algorithms were not timed
            table.rows.back()["geometric_mean_of_best"] = nullptr;
        for (const nlohmann::ordered_json& one : result.back()["least"])
            least.add({summary.stage, one["size"], one["of_cublas"]});
    }
    out.say("\n");
    out.print(std::move(table));
    out.say("\n");
    out.print(std::move(least));
    return result;
}

} // namespace app
