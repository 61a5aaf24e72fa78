#include "viz/analysis/launch_race.h"

#include <algorithm>

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

} // namespace viz
