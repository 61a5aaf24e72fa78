#include "viz/analysis/launch_race.h"

#include <algorithm>
#include <cmath>

namespace viz {

LaunchRunner::LaunchRunner(const PlacementPicture& picture)
{
    for (const PlacedBlock& block : picture.blocks)
        ends_.push_back(block.end_ns);
    std::ranges::sort(ends_);
}

double LaunchRunner::done(double ns) const
{
    if (ends_.empty())
        return 0;
    const auto after = std::ranges::upper_bound(ends_, ns, {}, [](uint64_t end) { return static_cast<double>(end); });
    return static_cast<double>(after - ends_.begin()) / static_cast<double>(ends_.size());
}

double LaunchRunner::reached(double share) const
{
    const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ends_.size()) - 1e-9));
    return count == 0 || ends_.empty() ? 0 : static_cast<double>(ends_[std::min(count, ends_.size()) - 1]);
}

double lead(const LaunchRunner& own, const LaunchRunner& other, double ns)
{
    const double share = std::max(own.done(ns), other.done(ns));
    return other.reached(share) - own.reached(share);
}

} // namespace viz
