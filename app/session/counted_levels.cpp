#include "app/session/counted_levels.h"

namespace app {

void add_levels(viz::HardwareFigures& figures, const kernels::Counters& counters)
{
    const kernels::CounterFigures counted = kernels::figures(counters);
    figures.load_sectors = counted.global_load.sectors;
    figures.shared_wavefronts = counted.shared_load.wavefronts;
    const auto hits = counters.sums.find("lts__t_sectors_lookup_hit.sum");
    const auto misses = counters.sums.find("lts__t_sectors_lookup_miss.sum");
    if (hits != counters.sums.end() && misses != counters.sums.end())
        figures.l2_sectors = static_cast<double>(hits->second + misses->second);
}

} // namespace app
