#include "app/catalogue/speeds.h"

#include "app/catalogue/library.h"

#include "gemm/size.h"
#include "measure/baseline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace app {

namespace {

double error_in(const Fields& row, const char* name)
{
    return row.maybe_figure(name).value_or(std::nan(""));
}

// What is right and has a time.
void read_timing(const Fields& row, TimedRow& result)
{
    const double median = row.positive("median_ms");
    result.timing = {.median_ms = median,
                     .low_ms = row.maybe_positive("low_ms").value_or(median),
                     .high_ms = row.maybe_positive("high_ms").value_or(median),
                     .samples = row.whole_or<int>("samples", 0)};
    result.gflops = row.maybe_positive("gflops");
    result.of_cublas = row.maybe_positive("of_cublas");
    result.of_best = row.maybe_positive("of_best");
    result.of_peak = row.maybe_positive("of_peak");
    result.timing.energy = {.joules = row.maybe_positive("joules"),
                            .ms = row.maybe_positive("energy_ms").value_or(0),
                            .missing = row.has("energy_missing") ? row.text("energy_missing") : ""};
}

} // namespace

nlohmann::json to_json(const TimedRow& row, const Ladder& ladder)
{
    nlohmann::json result = {
        {"stage", row.slug}, {"size", kernels::size_name(row.problem, row.operation)}, {"type", row.type}};
    if (!row.missing.empty()) {
        result["missing"] = row.missing;
        return result;
    }
    const nlohmann::json none;
    result.update({{"ok", row.right},
                   {"error", or_null(row.error)},
                   {"total_error", or_null(row.total_error)},
                   {"gflops", row.right ? or_null(row.gflops) : none},
                   {"of_cublas", row.right ? or_null(row.of_cublas) : none},
                   {"of_peak", row.right ? or_null(row.of_peak) : none},
                   {"median_ms", row.timing.median_ms},
                   {"low_ms", row.timing.low_ms},
                   {"high_ms", row.timing.high_ms},
                   {"samples", row.timing.samples},
                   {"origin", "measured here"}});
    if (const kernels::Stage* stage = stage_named(ladder, row.slug); stage != nullptr && !row.parameters.empty())
        result["parameters"] = parameters_json(*stage, row.parameters);
    if (const kernels::Energy& energy = row.timing.energy; row.right && energy.joules) {
        result["joules"] = *energy.joules; // of one launch
        result["energy_ms"] = energy.ms;
        result["gflop_per_joule"] = or_null(gflop_per_joule(row));
    } else if (!energy.missing.empty()) {
        result["energy_missing"] = energy.missing;
    }
    if (row.right && row.of_best)
        result["of_best"] = *row.of_best;
    if (!row.cublas_missing.empty())
        result["cublas_missing"] = row.cublas_missing;
    if (row.rows_timed > 0)
        result["rows_timed"] = row.rows_timed;
    if (!row.kernels.empty())
        result["kernels"] = to_json(row.kernels);
    if (!row.kernels_missing.empty())
        result["kernels_missing"] = row.kernels_missing;
    return result;
}

std::optional<TimedRow> timed_row_from(const Fields& row, const Ladder& ladder)
{
    TimedRow result{.slug = row.text("stage"), .parameters = {}, .problem = {}};
    if (const kernels::Stage* stage = stage_named(ladder, result.slug)) {
        const std::optional<kernels::ParameterValues> parameters = parameters_in(row, *stage);
        if (!parameters && !row.has("missing"))
            return std::nullopt;
        result.parameters = parameters.value_or(kernels::ParameterValues());
        result.operation = stage->operation;
    } else if (kernels::find_baseline(result.slug) == nullptr) {
        return std::nullopt;
    }
    result.problem = problem_in(row, result.operation);
    result.type = row.text_or_none("type");
    result.missing = row.text_or_none("missing");
    if (!result.missing.empty())
        return result;
    result.right = row.flag("ok");
    result.error = error_in(row, "error");
    result.total_error = error_in(row, "total_error");
    if (result.right)
        read_timing(row, result);
    result.cublas_missing = row.text_or_none("cublas_missing");
    result.rows_timed = row.whole_or<uint32_t>("rows_timed", 0);
    if (row.has("kernels"))
        result.kernels = kernels_from(row.at("kernels"));
    result.kernels_missing = row.text_or_none("kernels_missing");
    return result;
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
        [&](const Fields& file, const recording::Provenance& from) {
            speeds.from = from;
            speeds.peak_gflops = file.maybe_positive("peak_gflops");
        },
        [&](std::string_view list, const Fields& fields) {
            std::optional<TimedRow> row = timed_row_from(fields, ladder);
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
