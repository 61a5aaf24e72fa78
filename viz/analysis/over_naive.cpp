#include "viz/analysis/over_naive.h"

namespace viz {

namespace {

bool is_of_one_run(const recording::Provenance& a, const recording::Provenance& b)
{
    return a.how == b.how && a.shipped == b.shipped && a.device == b.device && a.problem == b.problem;
}

} // namespace

recording::Measured<double> over_naive(const recording::Measured<double>& gflops,
                                       const recording::Measured<double>& of_naive)
{
    if (!gflops)
        return gflops.missing();
    if (!of_naive)
        return of_naive.missing();
    if (*of_naive <= 0 || !is_of_one_run(gflops.from(), of_naive.from()))
        return recording::Missing::not_asked;
    return {*gflops / *of_naive, gflops.from()};
}

} // namespace viz
