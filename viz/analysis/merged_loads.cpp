#include "viz/analysis/merged_loads.h"

namespace viz {

std::optional<double> merged_share(const recording::Recording& recording, const HardwareFigures* counted)
{
    const auto written = static_cast<double>(recording.totals().shared_load.wavefronts);
    if (counted == nullptr || !counted->shared_wavefronts || written <= 0)
        return {};
    const double share = *counted->shared_wavefronts / written;
    return share < 0.99 ? std::optional(share) : std::nullopt;
}

} // namespace viz
