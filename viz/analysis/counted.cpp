#include "viz/analysis/counted.h"

#include "model/access_cost.h"

#include <algorithm>

namespace viz {

const HardwareFigures* figures_at(const std::vector<HardwareFigures>& counted, const recording::Problem& problem)
{
    const auto found = std::ranges::find_if(counted, [&](const HardwareFigures& one) {
        return one.problem.M == problem.M && one.problem.N == problem.N && one.problem.K == problem.K;
    });
    return found == counted.end() ? nullptr : &*found;
}

double bytes_asked(const recording::Recording& recording)
{
    return static_cast<double>(recording.totals().global_load.sectors) * model::sector_bytes;
}

} // namespace viz
