#include "viz/analysis/counted.h"

#include "model/access_cost.h"

#include <algorithm>

namespace viz {

const HardwareFigures* figures_at(const std::vector<HardwareFigures>& counted, const recording::Problem& problem)
{
    const auto found =
        std::ranges::find_if(counted, [&](const HardwareFigures& one) { return same_sides(one.problem, problem); });
    return found == counted.end() ? nullptr : &*found;
}

CountedIntensity counted_intensity(const HardwareFigures& figures, double flops)
{
    constexpr double wavefront_bytes = model::banks * model::bank_bytes;
    const auto per_byte = [flops](const std::optional<double>& count, double bytes) -> std::optional<double> {
        return count && *count > 0 && flops > 0 ? std::optional(flops / (*count * bytes)) : std::nullopt;
    };
    const auto sum = [](const std::optional<double>& a, const std::optional<double>& b) {
        return a && b ? std::optional(*a + *b) : std::nullopt;
    };
    return {.loads = per_byte(figures.load_sectors, model::sector_bytes),
            .l2 = per_byte(figures.l2_sectors, model::sector_bytes),
            .dram = per_byte(sum(figures.dram_read, figures.dram_written), 1),
            .shared = per_byte(figures.shared_wavefronts, wavefront_bytes)};
}

double bytes_asked(const recording::Recording& recording)
{
    return static_cast<double>(recording.totals().global_load.sectors) * model::sector_bytes;
}

std::optional<double> merged_share(const recording::Recording& recording, const HardwareFigures* counted)
{
    const auto written = static_cast<double>(recording.totals().shared_load.wavefronts);
    if (counted == nullptr || !counted->shared_wavefronts || written <= 0)
        return {};
    const double share = *counted->shared_wavefronts / written;
    return share < 0.99 ? std::optional(share) : std::nullopt;
}

} // namespace viz
