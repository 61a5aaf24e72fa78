#include "app/session/counter_table.h"

#include "error.h"
#include "gemm/element_type.h"
#include "gemm/size.h"
#include "measure/baseline.h"

#include "viz/analysis/comparison.h"
#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>

namespace app {

bool same_sides(const recording::Problem& problem, uint32_t side)
{
    return problem.M == side && problem.N == side && problem.K == side;
}

namespace {

using recording::Measured;
using recording::Missing;
constexpr const char* no_library = "counter of this library at this size";

// Returns the timing without counters and with warm caches, or null.
const TimedRow* timed_at(const ShippedSpeeds& speeds, std::string_view slug, const kernels::ParameterValues* parameters,
                         uint32_t side)
{
    for (const auto* rows : {&speeds.rows, &speeds.by_size})
        for (const TimedRow& row : *rows)
            if (row.slug == slug && row.gflops && same_sides(row.problem, side) &&
                (parameters == nullptr || row.parameters == *parameters || rows == &speeds.by_size))
                return &row;
    return nullptr;
}

const CountedRow* counted_at(const Catalogue& catalogue, const kernels::Stage& stage, uint32_t side)
{
    const CountedRow* result = nullptr;
    for (const CountedRow& row : catalogue.counters.rows)
        if (row.slug == stage.slug && same_sides(row.problem, side))
            if (result == nullptr || row.parameters == stage.standard_parameters())
                result = &row;
    return result;
}

const CountedLibrary* counted_at(const Catalogue& catalogue, const kernels::Baseline& baseline, uint32_t side)
{
    const auto& rows = catalogue.counters.libraries;
    const auto found = std::ranges::find_if(
        rows, [&](const CountedLibrary& row) { return row.slug == baseline.slug && same_sides(row.problem, side); });
    return found == rows.end() ? nullptr : &*found;
}

// Returns the counted facts of a row, or why it was not counted, and its speed. `parameters` is null for a library.
LaunchFacts facts_of(const Catalogue& catalogue, const auto* row, const recording::Reason& why_not,
                     std::string_view slug, const kernels::ParameterValues* parameters, uint32_t side)
{
    LaunchFacts facts{.why_not_counted = why_not};
    if (row != nullptr) {
        facts = app::facts_of(catalogue.counters, *row);
        const auto& gpu = catalogue.gpu.facts;
        if (gpu && gpu->properties.name == row->counters.device.name)
            facts.peak_gbps = {gpu->properties.memory_gbps(), {}};
        else if (!catalogue.gpu.missing.empty())
            facts.peak_gbps = catalogue.gpu.missing.front();
    }
    facts.why_not_timed = why_no_row(catalogue.speeds.missing);
    facts.timed = timed_at(catalogue.speeds, slug, parameters, side);
    if (facts.timed != nullptr)
        facts.timed_from = provenance_of(catalogue.speeds, *facts.timed);
    return facts;
}

bool contains(std::string_view words, std::string_view part)
{
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return !std::ranges::search(words, part, same).empty() || part.empty();
}

} // namespace

std::span<const Metric> counter_columns()
{
    return metrics().first(static_cast<std::size_t>(std::ranges::count(metrics(), true, &Metric::in_table)));
}

std::size_t counter_column(std::string_view id)
{
    const std::span<const Metric> columns = counter_columns();
    if (const auto found = std::ranges::find(columns, id, &Metric::id); found != columns.end())
        return static_cast<std::size_t>(found - columns.begin());
    std::string names;
    for (const Metric& column : columns)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", column.id);
    throw kernels::Error(fmt::format("There is no column '{}'; the columns are {}.", id, names));
}

std::vector<uint32_t> counted_sides(const Catalogue& catalogue, const Ladder& ladder)
{
    std::map<uint32_t, std::size_t> stages; // counted at a side
    std::size_t most = 0;
    for (const CountedRow& row : catalogue.counters.rows)
        if (const kernels::Stage* stage = stage_named(ladder, row.slug);
            stage != nullptr && kernels::facts(stage->operation).is_gemm && same_sides(row.problem, row.problem.M))
            most = std::max(most, ++stages[row.problem.M]);
    // Some stages are also counted at the size of their recording, which the others do not share.
    std::vector<uint32_t> sides;
    for (const auto& [side, counted] : stages)
        if (2 * counted > most)
            sides.push_back(side);
    return sides;
}

CounterTable counter_table(const Catalogue& catalogue, const Ladder& ladder, uint32_t side)
{
    CounterTable table{.problem = {.M = side, .N = side, .K = side}};
    std::vector<LaunchFacts> facts; // of each row
    const recording::Reason why = why_no_row(catalogue.counters.missing);
    for (const kernels::Stage& stage : ladder) {
        if (!kernels::facts(stage.operation).is_gemm)
            continue;
        const CountedRow* row = counted_at(catalogue, stage, side);
        const kernels::ParameterValues parameters = row != nullptr ? row->parameters : stage.standard_parameters();
        table.rows.push_back(
            {std::string(stage.slug), std::string(kernels::name_of(stage.type(parameters))), false, {}});
        facts.push_back(facts_of(catalogue, row, why, stage.slug, &parameters, side));
    }
    for (const kernels::Baseline& baseline : kernels::baselines()) {
        if (!baseline.needs_gpu())
            continue;
        const std::string_view type = baseline.precision.fp64 ? "fp64" : kernels::name_of(baseline.precision.type);
        table.rows.push_back({std::string(baseline.slug), std::string(type), true, {}});
        facts.push_back(facts_of(catalogue, counted_at(catalogue, baseline, side), {Missing::not_shipped, {no_library}},
                                 baseline.slug, nullptr, side));
    }
    const auto naive = std::ranges::find(table.rows, viz::first_rung, &CounterTableRow::slug);
    const Measured<double> naive_gflops =
        naive == table.rows.end() ? Measured<double>(why)
                                  : metric("gflops").of(facts[static_cast<std::size_t>(naive - table.rows.begin())]);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        facts[i].naive_gflops = naive_gflops;
        for (const Metric& column : counter_columns())
            table.rows[i].figures.push_back(column.of(facts[i]));
    }
    return table;
}

void sort_rows(std::vector<CounterTableRow>& rows, std::size_t column, bool descending)
{
    std::ranges::stable_sort(rows, [&](const CounterTableRow& a, const CounterTableRow& b) {
        const std::optional<double> x = a.figures[column].value(), y = b.figures[column].value();
        if (!x || !y)
            return x.has_value() && !y.has_value();
        return descending ? *x > *y : *x < *y;
    });
}

std::vector<CounterTableRow> filtered(std::vector<CounterTableRow> rows, std::string_view text)
{
    std::erase_if(rows,
                  [&](const CounterTableRow& row) { return !contains(row.slug, text) && !contains(row.type, text); });
    return rows;
}

std::string figure_words(const Metric& column, const Measured<double>& figure)
{
    return figure ? number_text(column.format, *figure) : "-";
}

Table table_of(const CounterTable& table, std::span<const std::size_t> columns)
{
    Table result("counters", "name=:< | type= | size=");
    for (const std::size_t column : columns) {
        const Metric& metric = counter_columns()[column];
        result.columns.push_back({std::string(metric.id), std::string(metric.title), std::string(metric.format)});
    }
    for (const CounterTableRow& row : table.rows) {
        nlohmann::json one = {{"name", row.slug},
                              {"type", row.type},
                              {"library", row.library},
                              {"size", kernels::size_name(table.problem, kernels::Operation::gemm)},
                              {"missing", nlohmann::json::object()}};
        for (const std::size_t column : columns) {
            const std::string id(counter_columns()[column].id);
            const Measured<double>& figure = row.figures[column];
            one[id] = given(figure.value());
            if (!figure)
                one["missing"][id] = viz::plain(viz::in_a_sentence(figure.missing()));
            else if (!figure.from().device.empty())
                one["device"] = figure.from().device;
        }
        result.rows.push_back(std::move(one));
    }
    return result;
}

} // namespace app
