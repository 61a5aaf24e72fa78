#include "viz/analysis/block_order.h"

#include "viz/analysis/access.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace viz {

using recording::Access;
using recording::Op;

namespace {

class BlockRun {
public:
    BlockRun(const recording::BlockTrace& block_, std::span<const recording::Array> arrays_)
        : block(block_), arrays(arrays_), warps(block_.warps.size())
    {
        for (std::size_t w = 0; w < warps.size(); ++w)
            for (const Access& access : block.warps[w].accesses) {
                warps[w].barriers += access.op == Op::barrier ? 1 : 0;
                if (access.op == Op::arrive && access.mask != 0)
                    arriving[lowest_lane_offset(access)].insert(w);
            }
        open_free_tiles();
    }

    // Finds the mbarriers whose first wait passes at once, because a tile is free before it is filled for the first
    // time. Warps that fill tiles wait on them, and only warps that have waited for a filled tile arrive at them.
    void open_free_tiles()
    {
        std::set<uint32_t> waited_by_fillers, announced;
        for (const recording::WarpTrace& trace : block.warps) {
            const bool fills = std::ranges::any_of(
                trace.accesses, [this](const Access& access) { return is_bulk_fill(arrays, access); });
            bool waited = false;
            for (const Access& access : trace.accesses) {
                waited = waited || access.op == Op::wait;
                if (fills && access.op == Op::wait && access.mask != 0)
                    waited_by_fillers.insert(lowest_lane_offset(access));
                if (access.op == Op::arrive && access.mask != 0 && (fills || !waited))
                    announced.insert(lowest_lane_offset(access));
            }
        }
        std::set_difference(waited_by_fillers.begin(), waited_by_fillers.end(), announced.begin(), announced.end(),
                            std::inserter(open, open.begin()));
    }

    std::vector<std::vector<uint32_t>> go(std::size_t& ticks)
    {
        std::vector<std::vector<uint32_t>> result(warps.size());
        uint32_t tick = 0;
        for (; !ended(); ++tick) {
            std::vector<std::size_t> passing;
            for (std::size_t w = 0; w < warps.size(); ++w)
                if (!done(w) && may_pass(w))
                    passing.push_back(w);
            if (passing.empty()) // the order also ends here if the recording ends early
                for (std::size_t w = warps.size(); w-- > 0;)
                    if (!done(w))
                        passing = {w};
            for (const std::size_t w : passing) {
                result[w].push_back(tick);
                pass(w);
            }
        }
        ticks = tick;
        return result;
    }

private:
    struct Warp {
        std::size_t step = 0, barriers = 0, passed = 0; // __syncthreads() ahead of the warp, and passed by it
        std::map<uint32_t, uint32_t> waited;            // completed waits by mbarrier
        std::optional<uint32_t> arrival;                // the mbarrier of an arrival whose copies are being issued
    };

    const Access& access(std::size_t w) const { return block.warps[w].accesses[warps[w].step]; }
    bool done(std::size_t w) const { return warps[w].step == block.warps[w].accesses.size(); }
    bool ended() const
    {
        for (std::size_t w = 0; w < warps.size(); ++w)
            if (!done(w))
                return false;
        return true;
    }

    bool may_pass(std::size_t w) const
    {
        const Access& next = access(w);
        if (next.op == Op::barrier) {
            return std::none_of(warps.begin(), warps.end(), [&](const Warp& other) {
                const auto index = static_cast<std::size_t>(&other - warps.data());
                return other.barriers > 0 && other.passed <= warps[w].passed && access(index).op != Op::barrier;
            });
        }
        if (next.op != Op::wait || next.mask == 0)
            return true;
        const uint32_t barrier = lowest_lane_offset(next);
        const auto waited = warps[w].waited.find(barrier), ended = phases.find(barrier);
        const uint32_t needed = (waited == warps[w].waited.end() ? 0 : waited->second) + 1;
        return (ended == phases.end() ? 0 : ended->second) + (open.contains(barrier) ? 1 : 0) >= needed;
    }

    void pass(std::size_t w)
    {
        Warp& warp = warps[w];
        const Access& now = access(w);
        ++warp.step;
        if (now.op == Op::barrier)
            --warp.barriers, ++warp.passed;
        else if (now.op == Op::wait && now.mask != 0)
            ++warp.waited[lowest_lane_offset(now)];
        else if (now.op == Op::arrive && now.mask != 0)
            warp.arrival = lowest_lane_offset(now);
        if (warp.arrival && (done(w) || !is_bulk_fill(arrays, access(w))))
            arrive(*std::exchange(warp.arrival, std::nullopt));
    }

    void arrive(uint32_t barrier)
    {
        if (++arrived[barrier] < arriving[barrier].size())
            return;
        arrived[barrier] = 0;
        ++phases[barrier];
    }

    const recording::BlockTrace& block;
    std::span<const recording::Array> arrays;
    std::vector<Warp> warps;
    std::map<uint32_t, std::set<std::size_t>> arriving; // warps that ever arrive, by mbarrier
    std::map<uint32_t, std::size_t> arrived;            // in the current phase
    std::map<uint32_t, uint32_t> phases;                // number of completed phases
    std::set<uint32_t> open;                            // mbarriers whose first wait passes at once
};

} // namespace

BlockOrder::BlockOrder(const recording::BlockTrace& block, std::span<const recording::Array> arrays)
{
    tick_of = BlockRun(block, arrays).go(ticks_);
}

std::optional<std::size_t> BlockOrder::step_at(std::size_t warp, std::size_t tick) const
{
    const std::vector<uint32_t>& ticks = tick_of[warp];
    const auto found = std::lower_bound(ticks.begin(), ticks.end(), tick);
    if (found == ticks.end() || *found != tick)
        return {};
    return static_cast<std::size_t>(found - ticks.begin());
}

} // namespace viz
