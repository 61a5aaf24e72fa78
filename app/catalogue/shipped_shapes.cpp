#include "app/catalogue/shipped_shapes.h"

#include "app/catalogue/shipped.h"
#include "app/catalogue/shipped_file.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using nlohmann::json;

viz::ShapeSeries series_of(const ShippedSpeed& speed, const kernels::Stage* stage)
{
    if (stage != nullptr)
        return {.slug = speed.slug,
                .type = std::string(kernels::name_of(stage->type(speed.parameters))),
                .parameters = kernels::named(*stage, speed.parameters)};
    const kernels::Baseline* baseline = kernels::find_baseline(speed.slug);
    return {.slug = speed.slug, .type = std::string(kernels::name_of(baseline->precision.type)), .library = true};
}

// Whether parameters that change with the shape by themselves make one series: those of a stage that chooses.
bool continues(const viz::ShapeSeries& series, const viz::ShapeSeries& next)
{
    return series.slug == next.slug && slices(series) == slices(next);
}

} // namespace

viz::Shapes read_shipped_shapes(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder)
{
    if (folder.empty())
        return {.missing = "No speeds of other shapes are shipped."};
    viz::Shapes result;
    result.missing = read_shipped_file(folder / "shapes.json", "speeds of other shapes", [&](const json& file) {
        result.origin =
            fmt::format("shipped: {}, {}", file.at("device").get<std::string>(), file.at("date").get<std::string>());
        for (const ShippedSpeed& speed : speeds_in(file.at("rows"), ladder)) {
            const auto stage = std::ranges::find(ladder, speed.slug, &kernels::Stage::slug);
            const bool library = stage == ladder.end();
            viz::ShapeSeries made = series_of(speed, library ? nullptr : &*stage);
            auto same = std::ranges::find_if(result.series, [&](const auto& one) { return continues(one, made); });
            if (same == result.series.end())
                same = result.series.insert(result.series.end(), std::move(made));
            if (speed.gflops)
                same->speeds.push_back({speed.problem, *speed.gflops,
                                        library ? 0 : stage->launch(speed.parameters, speed.problem).grid.volume()});
        }
        for (viz::ShapeSeries& series : result.series)
            std::ranges::stable_sort(series.speeds, {}, [](const viz::ShapeSpeed& speed) {
                return uint64_t{speed.problem.M} * speed.problem.N;
            });
    });
    if (!result.missing.empty())
        result = {.missing = std::move(result.missing)};
    return result;
}

} // namespace app
