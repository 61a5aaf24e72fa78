#include "app/catalogue/shapes.h"

#include "app/catalogue/speeds.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

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

} // namespace app
