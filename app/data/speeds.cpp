#include "app/data/speeds.h"

#include "app/data/fields_json.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace app {

nlohmann::json to_json(const TimedRow& row, const Ladder& ladder)
{
    nlohmann::json result = to_named_json(row);
    result["size"] = kernels::size_name(row.problem, row.operation);
    if (!row.missing.empty())
        return result;
    result["origin"] = "measured here";
    if (const kernels::Stage* stage = stage_named(ladder, row.slug); stage != nullptr && !row.parameters.empty())
        result["parameters"] = parameters_json(*stage, row.parameters);
    if (row.right && row.timing.energy.joules)
        result["gflop_per_joule"] = to_named_json(gflop_per_joule(row));
    return result;
}

std::optional<TimedRow> timed_row_from(const nlohmann::json& json, const Ladder& ladder)
{
    auto row = from_named_json<TimedRow>(json);
    if (const kernels::Stage* stage = stage_named(ladder, row.slug)) {
        const std::optional<kernels::ParameterValues> parameters = parameters_in(json, *stage);
        if (!parameters && row.missing.empty())
            return std::nullopt;
        row.parameters = parameters.value_or(kernels::ParameterValues());
        row.operation = stage->operation;
    } else if (kernels::find_baseline(row.slug) == nullptr) {
        return std::nullopt;
    }
    row.problem = problem_in(json, row.operation);
    for (double* const bound : {&row.timing.low_ms, &row.timing.high_ms})
        if (*bound == 0)
            *bound = row.timing.median_ms;
    return row;
}

std::optional<double> gflop_per_joule(const TimedRow& row)
{
    const std::optional<double>& joules = row.timing.energy.joules;
    if (!row.gflops || !joules || *joules <= 0)
        return std::nullopt;
    return *row.gflops * row.timing.median_ms * 1e-3 / *joules;
}

bool is_of_gpu(const TimedRow& row)
{
    const kernels::Baseline* baseline = kernels::find_baseline(row.slug);
    return row.right && (baseline == nullptr || baseline->needs_gpu());
}

const TimedRow* ShippedSpeeds::find(std::string_view slug, const kernels::ParameterValues& parameters) const
{
    const auto found = std::ranges::find_if(
        rows, [&](const TimedRow& row) { return row.slug == slug && row.parameters == parameters; });
    return found == rows.end() ? nullptr : &*found;
}

ShippedSpeeds read_speeds(const std::filesystem::path& folder, const Ladder& ladder)
{
    ShippedSpeeds speeds;
    speeds.missing = read_shipped(
        {.folder = folder, .name = "speeds.json", .lists = {"rows", "by_size"}},
        [&](const nlohmann::json& file, const recording::Provenance& from) {
            speeds.from = from;
            speeds.peak_gflops = field_of<std::optional<double>>(file, "peak_gflops", kernels::above_zero);
        },
        [&](std::string_view list, const nlohmann::json& json) {
            std::optional<TimedRow> row = timed_row_from(json, ladder);
            if (row && is_of_gpu(*row))
                (list == "rows" ? speeds.rows : speeds.by_size).push_back(std::move(*row));
        });
    if (speeds.rows.empty() && speeds.missing.empty())
        speeds.missing = {{recording::Missing::other_stages, {(folder / "speeds.json").string()}}};
    if (const TimedRow* cublas = speeds.find("cublas_sgemm", {}))
        speeds.cublas_gflops = cublas->gflops;
    return speeds;
}

recording::Provenance provenance_of(const ShippedSpeeds& speeds, const TimedRow& row)
{
    recording::Provenance from = speeds.from;
    from.problem = row.problem;
    from.samples = static_cast<uint32_t>(std::max(row.timing.samples, 0));
    return from;
}

} // namespace app
