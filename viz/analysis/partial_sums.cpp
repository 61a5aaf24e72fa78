#include "viz/analysis/partial_sums.h"

#include "viz/analysis/timeline.h"

#include <algorithm>

namespace viz {

bool sums_in_registers(const recording::Recording& recording, const recording::WarpTrace& warp)
{
    const auto& arrays = recording.arrays;
    return arrays.size() > 2 && arrays[0].cols > 0 && arrays[0].cols == arrays[1].rows && !is_wmma(warp);
}

bool sums_pass_through_shared(const recording::Recording& recording, const recording::BlockTrace& block)
{
    return std::ranges::any_of(block.warps, [&](const recording::WarpTrace& warp) {
        return std::ranges::any_of(phases(recording, warp), [&](const Phase& phase) {
            const auto first = warp.accesses.begin() + static_cast<std::ptrdiff_t>(phase.first);
            return phase.kind == PhaseKind::store &&
                   std::any_of(first, first + static_cast<std::ptrdiff_t>(phase.count),
                               [](const recording::Access& access) { return access.op == recording::Op::shared_load; });
        });
    });
}

std::optional<uint32_t> summed_up_to(const BlockTiling& tiling, const std::vector<Phase>& phases, const Phase& now,
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
