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
    for (const ShapeSeries& series : shapes.series) // the first match in ladder order is the rung without the split
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

bool in_whole_rows(const recording::Problem& problem, std::string_view type)
{
    const uint32_t element = type == "fp32" || type == "tf32" ? 4 : 2;
    return problem.K * element % 16 == 0 && problem.N * element % 16 == 0;
}

double geometric_mean(std::span<const double> shares)
{
    double logarithms = 0;
    for (const double share : shares)
        logarithms += std::log(share);
    return shares.empty() ? 0 : std::exp(logarithms / static_cast<double>(shares.size()));
}

MeanShare mean_share(const RandomSeries& series, ShapeRows rows)
{
    std::vector<double> shares, of_best;
    for (const RandomShape& shape : series.shapes) {
        if (rows != ShapeRows::all && in_whole_rows(shape.problem, series.type) != (rows == ShapeRows::whole))
            continue;
        shares.push_back(shape.of_cublas);
        if (shape.of_best)
            of_best.push_back(*shape.of_best);
    }
    return {shares.size(), geometric_mean(shares), geometric_mean(of_best)};
}

const RandomSeries* series_for(const RandomShapes& shapes, std::string_view slug, std::string_view type)
{
    const RandomSeries* best = nullptr;
    int best_fit = -1;
    for (const RandomSeries& one : shapes.series) {
        const bool same_type = one.type == type;
        const int fit = one.slug == slug                           ? (same_type ? 4 : 3)
                        : same_type                                ? 2
                        : (one.type == "fp32") == (type == "fp32") ? 1
                                                                   : 0;
        if (fit >= best_fit) { // of two equal fits, the later one in the ladder
            best = &one;
            best_fit = fit;
        }
    }
    return best;
}

} // namespace viz
