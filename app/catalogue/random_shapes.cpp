#include "app/catalogue/random_shapes.h"

#include "app/catalogue/fields_json.h"
#include "app/catalogue/speeds.h"

#include "gemm/element_type.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

constexpr const char* file_name = "random_shapes.json";

// By stage and type: C may be of 16 bits too, and cuBLAS is timed with the same types.
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

} // namespace

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
            if (stage != nullptr && row->of_cublas && row->gflops) // what is wrong has neither
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
