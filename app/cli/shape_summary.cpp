#include "app/cli/shape_summary.h"

#include "gemm/size.h"

#include "viz/analysis/random_shapes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

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

// Of the rows of one stage that have a share, the least first.
nlohmann::ordered_json summary_of(const std::string& stage, const std::vector<const TimedRow*>& rows, std::size_t wrong)
{
    std::vector<const TimedRow*> aligned; // whose rows of A, B and C are multiples of 16 bytes
    std::ranges::copy_if(rows, std::back_inserter(aligned),
                         [](const TimedRow* row) { return viz::in_whole_rows(row->problem, row->type); });
    nlohmann::ordered_json least = nlohmann::ordered_json::array();
    for (const TimedRow* row : rows | std::views::take(most_listed))
        least.push_back({{"size", kernels::size_name(row->problem, row->operation)}, {"of_cublas", *row->of_cublas}});
    return {{"stage", stage},
            {"shapes", rows.size()},
            {"wrong", wrong},
            {"geometric_mean_of_cublas", mean_of(rows)},
            {"aligned_shapes", aligned.size()},
            {"aligned_geometric_mean_of_cublas", mean_of(aligned)},
            {"geometric_mean_of_best", mean_of(rows, &TimedRow::of_best)},
            {"least", least}};
}

} // namespace

nlohmann::ordered_json shape_summaries(std::span<const TimedRow> rows)
{
    std::map<std::string, std::vector<const TimedRow*>> of_stage;
    std::map<std::string, std::size_t> wrong;
    for (const TimedRow& row : rows) {
        wrong[row.slug] += row.missing.empty() && !row.right;
        if (row.right && row.of_cublas && *row.of_cublas > 0)
            of_stage[row.slug].push_back(&row);
    }
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    for (auto& [stage, shares] : of_stage) {
        std::ranges::stable_sort(shares, {}, [](const TimedRow* row) { return *row->of_cublas; });
        result.push_back(summary_of(stage, shares, wrong[stage]));
    }
    return result;
}

void print(const nlohmann::ordered_json& summaries, Output& out)
{
    Table table("summary",
                "stage:< | shapes | geometric_mean_of_cublas=geometric mean of cuBLAS:% | "
                "aligned_shapes=with rows of whole 16 bytes | aligned_geometric_mean_of_cublas=their mean:% | "
                "geometric_mean_of_best=of the fastest of its algorithms:% | wrong=wrong results");
    Table least("least", "stage:< | size=least:< | of_cublas=of cuBLAS:%");
    for (const nlohmann::ordered_json& summary : summaries) {
        table.rows.push_back(summary);
        if (summary.at("geometric_mean_of_best") == 0) // those algorithms were not timed
            table.rows.back()["geometric_mean_of_best"] = nullptr;
        for (const nlohmann::ordered_json& one : summary.at("least"))
            least.add({summary.at("stage"), one.at("size"), one.at("of_cublas")});
    }
    for (Table* const one : {&table, &least})
        if (!one->rows.empty()) {
            out.say("\n");
            out.print(std::move(*one));
        }
}

} // namespace app
