#include "viz/analysis/random_shapes.h"

#include <algorithm>
#include <cmath>

namespace viz {

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

MeanShare mean_share(const RandomSeries& series, Rows rows)
{
    std::vector<double> shares, of_best;
    for (const RandomShape& shape : series.shapes) {
        if (rows != Rows::all && in_whole_rows(shape.problem, series.type) != (rows == Rows::whole))
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
