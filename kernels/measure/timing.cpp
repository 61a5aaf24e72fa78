#include "measure/timing.h"

#include <algorithm>

namespace kernels {

Timing timing_of(std::vector<double> samples)
{
    std::sort(samples.begin(), samples.end());
    const std::size_t count = samples.size();
    if (count == 0)
        return {};
    return {.median_ms = samples[count / 2],
            .low_ms = samples[count / 4],
            .high_ms = samples[count * 3 / 4],
            .samples = static_cast<int>(count)};
}

} // namespace kernels
