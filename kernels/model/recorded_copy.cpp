#include "model/recorded_copy.h"

#include <algorithm>
#include <array>

namespace model {

CopyPattern copy_of(const recording::Access& read, const recording::Access& write)
{
    CopyPattern copy{.width = read.width,
                     .bypass = read.width == 16,
                     .mask = read.mask,
                     .idle = write.mask & ~read.mask,
                     .from = {},
                     .to = {}};
    for (std::size_t lane = 0; lane < copy.from.size(); ++lane) {
        copy.from[lane] = read.offset[lane];
        copy.to[lane] = write.offset[lane];
    }
    return copy;
}

std::optional<CopyPattern> copy_at(const recording::WarpTrace& warp, std::size_t step)
{
    if (step == 0 || step >= warp.accesses.size() || warp.accesses[step].op != recording::Op::async_store ||
        warp.accesses[step - 1].op != recording::Op::async_load)
        return std::nullopt;
    return copy_of(warp.accesses[step - 1], warp.accesses[step]);
}

recording::SharedTotals copy_writes(const recording::BlockTrace& block)
{
    recording::SharedTotals sum;
    for (const recording::WarpTrace& warp : block.warps)
        for (std::size_t step = 0; step < warp.accesses.size(); ++step)
            if (const std::optional<CopyPattern> copy = copy_at(warp, step); copy && (copy->mask | copy->idle) != 0) {
                const SharedCost cost = copy_write(*copy);
                sum += {1, static_cast<uint64_t>(cost.wavefronts), static_cast<uint64_t>(cost.conflicts)};
            }
    return sum;
}

std::optional<recording::SharedTotals> copy_writes(const recording::Recording& recording)
{
    recording::SharedTotals sum;
    for (const recording::BlockTrace& block : recording.blocks)
        sum += copy_writes(block);
    const bool whole = recording.blocks.size() == recording.launch.grid.volume();
    const bool none = !recording.blocks.empty() && sum.instructions == 0;
    return whole || none ? std::optional(sum) : std::nullopt;
}

std::vector<Word> schedule(const CopyPattern& copy)
{
    std::vector<Word> words;
    const int group_lanes = std::min(lanes, banks * bank_bytes / copy.width);
    int wavefronts_before = 0;
    for (int first = 0; first < lanes; first += group_lanes) {
        CopyPattern group = copy; // restricted to these lanes
        const uint32_t part = (group_lanes == lanes ? ~0u : (1u << group_lanes) - 1) << first;
        group.mask &= part;
        group.idle &= part;
        std::array<uint8_t, banks> turns{};
        for (int lane = first; lane < first + group_lanes; ++lane) {
            if (!((group.mask | group.idle) >> lane & 1))
                continue;
            const uint8_t turn = turns[static_cast<std::size_t>(bank_of(copy.to[lane]))]++;
            for (int i = 0; i < copy.width / bank_bytes; ++i) {
                const uint64_t word = copy.to[lane] / bank_bytes + static_cast<uint64_t>(i);
                words.push_back({.lane = static_cast<uint8_t>(lane),
                                 .bank = static_cast<uint8_t>(word % banks),
                                 .wavefront = static_cast<uint8_t>(wavefronts_before + turn),
                                 .group = static_cast<uint8_t>(first / group_lanes),
                                 .word = word});
            }
        }
        wavefronts_before += copy_write(group).wavefronts;
    }
    return words;
}

} // namespace model
