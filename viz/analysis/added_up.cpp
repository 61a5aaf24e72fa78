#include "viz/analysis/added_up.h"

namespace viz {

bool sums_in_registers(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    const auto& arrays = recording.arrays;
    return arrays.size() > 2 && arrays[0].cols > 0 && arrays[0].cols == arrays[1].rows && !is_wmma(warp);
}

std::optional<uint32_t> added_up_to(const BlockTiling& tiling, const std::vector<Phase>& phases, const Phase& now,
                                    const std::optional<Fragments>& fragments)
{
    const uint32_t K = tiling.recording().arrays[0].cols;
    const auto& band = tiling.bands()[0].bounds;
    if (!band || band->col != 0 || band->cols != K)
        return {};
    if (now.kind == PhaseKind::store)
        return K;
    if (!fragments)
        return {};
    for (const Phase* before = &now; now.kind != PhaseKind::compute && before-- != phases.data();)
        if (before->kind == PhaseKind::compute)
            return before->k_tile == now.k_tile ? std::nullopt : std::optional(fragments->k);
    return fragments->k;
}

} // namespace viz
