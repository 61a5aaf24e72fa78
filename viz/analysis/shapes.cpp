#include "viz/analysis/shapes.h"

#include "viz/analysis/parameters.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr const char* slices_parameter = "SPLIT";

std::vector<recording::Parameter> without_slices(std::vector<recording::Parameter> parameters)
{
    std::erase_if(parameters, [](const recording::Parameter& one) { return one.name == slices_parameter; });
    return parameters;
}

} // namespace

double side_of_result(const recording::Problem& problem)
{
    return std::sqrt(double{1} * problem.M * problem.N);
}

const ShapeSpeed* ShapeSeries::at(const recording::Problem& problem) const
{
    const auto found = std::ranges::find(speeds, problem, &ShapeSpeed::problem);
    return found == speeds.end() ? nullptr : &*found;
}

uint32_t slices(const ShapeSeries& series)
{
    return static_cast<uint32_t>(std::max(1, parameter_of(series.parameters, slices_parameter).value_or(1)));
}

std::optional<SplitPair> split_pair(const Shapes& shapes)
{
    SplitPair pair;
    for (const ShapeSeries& series : shapes.series)
        if (slices(series) > 1 && (pair.split.empty() || pair.split.front()->slug == series.slug))
            pair.split.push_back(&series);
    std::ranges::sort(pair.split, {}, [](const ShapeSeries* series) { return slices(*series); });
    for (const ShapeSeries& series : shapes.series) // the first match in ladder order is the rung that was split
        if (!pair.split.empty() && pair.whole == nullptr && !series.library && slices(series) == 1 &&
            !series.parameters.empty() && series.parameters == without_slices(pair.split.front()->parameters))
            pair.whole = &series;
    return pair.whole != nullptr ? std::optional(pair) : std::nullopt;
}

std::vector<SplitAt> split_gains(const SplitPair& pair)
{
    std::vector<SplitAt> gains;
    for (const ShapeSpeed& whole : pair.whole->speeds) {
        SplitAt best{.whole = &whole};
        for (const ShapeSeries* series : pair.split)
            if (const ShapeSpeed* speed = series->at(whole.problem);
                speed != nullptr && (best.split == nullptr || speed->gflops > best.split->gflops)) {
                best.split = speed;
                best.slices = slices(*series);
            }
        if (best.split != nullptr)
            gains.push_back(best);
    }
    return gains;
}

} // namespace viz
