#include "app/data/speeds.h"

#include "app/data/fields_json.h"

#include "gemm/element_type.h"
#include "gemm/size.h"
#include "measure/baseline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ranges>

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

namespace {

viz::ShapeSeries series_of(const TimedRow& speed, const kernels::Stage* stage)
{
    if (stage != nullptr)
        return {.slug = speed.slug,
                .type = std::string(kernels::name_of(stage->type(speed.parameters))),
                .parameters = kernels::named(*stage, speed.parameters)};
    const kernels::Baseline* baseline = kernels::find_baseline(speed.slug);
    return {.slug = speed.slug, .type = std::string(kernels::name_of(baseline->precision.type)), .library = true};
}

// Returns whether both belong to one series although their parameters differ. This holds for a stage that chooses its
// parameters by shape.
bool continues(const viz::ShapeSeries& series, const viz::ShapeSeries& next)
{
    return series.slug == next.slug && slices(series) == slices(next);
}

void add(viz::Shapes& shapes, const TimedRow& speed, const kernels::Stage* stage)
{
    viz::ShapeSeries made = series_of(speed, stage);
    auto same = std::ranges::find_if(shapes.series, [&](const auto& one) { return continues(one, made); });
    if (same == shapes.series.end())
        same = shapes.series.insert(shapes.series.end(), std::move(made));
    if (speed.gflops)
        same->speeds.push_back({speed.problem, *speed.gflops,
                                stage == nullptr ? 0 : stage->launch(speed.parameters, speed.problem).grid.volume()});
}

} // namespace

viz::Shapes read_shapes(const std::filesystem::path& folder, const Ladder& ladder)
{
    viz::Shapes result;
    result.missing = read_shipped(
        {.folder = folder, .name = "shapes.json"},
        [&](const nlohmann::json&, const recording::Provenance& from) { result.from = from; },
        [&](std::string_view, const nlohmann::json& row) {
            const std::optional<TimedRow> speed = timed_row_from(row, ladder);
            if (speed && is_of_gpu(*speed))
                add(result, *speed, stage_named(ladder, speed->slug));
        });
    for (viz::ShapeSeries& series : result.series)
        std::ranges::stable_sort(series.speeds, {}, [](const viz::ShapeSpeed& speed) {
            return uint64_t{speed.problem.M} * speed.problem.N;
        });
    return result;
}

namespace {

constexpr const char* file_name = "random_shapes.json";

// Adds a shape to the series of its stage and type. C may be 16-bit too, and cuBLAS is timed with the same types.
void add(viz::RandomShapes& shapes, const TimedRow& row, const kernels::Stage& stage)
{
    viz::RandomSeries made{.slug = row.slug, .type = std::string(kernels::name_of(stage.type(row.parameters)))};
    auto same = std::ranges::find_if(shapes.series,
                                     [&](const auto& one) { return one.slug == made.slug && one.type == made.type; });
    if (same == shapes.series.end())
        same = shapes.series.insert(shapes.series.end(), std::move(made));
    same->shapes.push_back({.problem = row.problem,
                            .of_cublas = *row.of_cublas,
                            .of_best = row.of_best,
                            .gflops = *row.gflops,
                            .parameters = kernels::named(stage, row.parameters)});
}

// Returns each stage's shares of cuBLAS at many shapes, lowest first.
std::map<std::string, viz::RandomSeries> series_of(std::span<const TimedRow> rows)
{
    std::map<std::string, viz::RandomSeries> result;
    for (const TimedRow& row : rows)
        if (row.right && row.of_cublas && *row.of_cublas > 0) {
            viz::RandomSeries& series =
                result.try_emplace(row.slug, viz::RandomSeries{row.slug, row.type}).first->second;
            series.shapes.push_back({.problem = row.problem, .of_cublas = *row.of_cublas, .of_best = row.of_best});
        }
    for (auto& [slug, series] : result)
        std::ranges::stable_sort(series.shapes, {}, &viz::RandomShape::of_cublas);
    return result;
}

// Summarizes many shapes: their number, geometric means of the shares (1 is as fast as cuBLAS; 0: no share), and the
// ten shapes with the lowest shares.
nlohmann::ordered_json summary_of(const viz::RandomSeries& series, std::size_t wrong)
{
    constexpr int most_listed = 10;
    const viz::MeanShare all = viz::mean_share(series), whole = viz::mean_share(series, viz::ShapeRows::whole);
    nlohmann::ordered_json least = nlohmann::ordered_json::array();
    for (const viz::RandomShape& shape : series.shapes | std::views::take(most_listed))
        least.push_back(
            {{"size", kernels::size_name(shape.problem, kernels::Operation::gemm)}, {"of_cublas", shape.of_cublas}});
    return {{"stage", series.slug},
            {"shapes", all.shapes},
            {"wrong", wrong},
            {"geometric_mean_of_cublas", all.of_cublas},
            {"aligned_shapes", whole.shapes},
            {"aligned_geometric_mean_of_cublas", whole.of_cublas},
            {"geometric_mean_of_best", all.of_best},
            {"least", least}};
}

} // namespace

nlohmann::ordered_json shape_summaries(std::span<const TimedRow> rows)
{
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    for (const auto& [slug, series] : series_of(rows))
        result.push_back(
            summary_of(series, static_cast<std::size_t>(std::ranges::count_if(rows, [&](const TimedRow& row) {
                           return row.slug == series.slug && row.missing.empty() && !row.right;
                       }))));
    return result;
}

viz::RandomShapes read_random_shapes(const std::filesystem::path& folder, const Ladder& ladder)
{
    viz::RandomShapes result;
    result.missing = read_shipped(
        {.folder = folder, .name = file_name},
        [&](const nlohmann::json& file, const recording::Provenance& from) {
            result.from = from;
            result.seed = field_of<uint32_t>(file, "seed");
        },
        [&](std::string_view, const nlohmann::json& json) {
            const std::optional<TimedRow> row = timed_row_from(json, ladder);
            const kernels::Stage* stage = row ? stage_named(ladder, row->slug) : nullptr;
            if (stage != nullptr && row->of_cublas && row->gflops) // a wrong result has neither
                add(result, *row, *stage);
        });
    if (result.series.empty() && result.missing.empty())
        result.missing = {{recording::Missing::other_stages, {(folder / file_name).string()}}};
    std::ranges::stable_sort(
        result.series, {}, [&](const viz::RandomSeries& one) { return stage_named(ladder, one.slug) - ladder.data(); });
    for (viz::RandomSeries& one : result.series)
        std::ranges::stable_sort(one.shapes, {}, &viz::RandomShape::of_cublas);
    return result;
}

} // namespace app
