#include "viz/analysis/l1_lines.h"

#include "viz/analysis/access.h"
#include "viz/analysis/sectors.h"

#include <algorithm>
#include <bit>
#include <list>
#include <map>
#include <utility>

namespace viz {

namespace {

using LineKey = std::pair<uint8_t, uint32_t>; // array, number

class LeastRecentlyUsed {
public:
    LeastRecentlyUsed(L1Lines& made, uint64_t bytes) : made_(made), capacity_(std::max<uint64_t>(bytes / line_bytes, 1))
    {
    }

    void read(uint32_t step, LineKey key, uint32_t sectors)
    {
        Kept& line = kept_[key];
        const uint32_t there = line.present ? line.sectors & sectors : 0;
        made_.asked += static_cast<uint64_t>(std::popcount(sectors));
        made_.found += static_cast<uint64_t>(std::popcount(there));
        const LineState state = there == sectors ? LineState::found
                                : line.evicted   ? LineState::fetched_again
                                                 : LineState::fetched;
        if (line.present)
            order_.erase(line.place);
        else if (order_.size() == capacity_)
            evict(step);
        line.sectors = (line.present ? line.sectors : 0) | sectors;
        line.present = true;
        line.place = order_.insert(order_.end(), key);
        note(line, step, state, true);
    }

    void end()
    {
        for (auto& [key, line] : kept_)
            made_.lines.push_back({key.first, key.second, std::move(line.events)});
    }

private:
    struct Kept {
        bool present = false, evicted = false; // evicted: at least once
        uint32_t sectors = 0;                  // mask
        std::list<LineKey>::iterator place{};
        std::vector<L1Lines::Event> events;
    };

    void evict(uint32_t step)
    {
        Kept& oldest = kept_[order_.front()];
        order_.pop_front();
        oldest.present = false;
        oldest.evicted = true;
        ++made_.evictions;
        note(oldest, step, LineState::absent, false);
    }

    // Several warps can read a line in one step. The one that waits the longest decides how the step looks.
    static void note(Kept& line, uint32_t step, LineState state, bool stays)
    {
        if (line.events.empty() || line.events.back().step != step)
            line.events.push_back({step, state, stays});
        line.events.back().state = std::max(line.events.back().state, state);
        line.events.back().stays = stays;
    }

    L1Lines& made_;
    std::size_t capacity_; // in lines
    std::map<LineKey, Kept> kept_;
    std::list<LineKey> order_; // the one used last is at the end
};

// Returns the sectors of each line that the access reads, as masks, in ascending order of lines.
std::vector<std::pair<uint32_t, uint32_t>> sectors_by_line(const recording::Access& access)
{
    std::map<uint32_t, uint32_t> lines;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (takes_part(access, lane))
            for (uint32_t byte = 0; byte < access.width; byte += 4) {
                const uint64_t at = access.offset[lane] + uint64_t{byte};
                lines[static_cast<uint32_t>(at / line_bytes)] |= 1u << at % line_bytes / model::sector_bytes;
            }
    return {lines.begin(), lines.end()};
}

} // namespace

LineState L1Lines::Line::at(uint32_t step) const
{
    const auto after = std::ranges::upper_bound(events, step, {}, &Event::step);
    if (after == events.begin())
        return LineState::absent;
    const Event& last = *std::prev(after);
    return last.step == step ? last.state : last.stays ? LineState::present : LineState::absent;
}

bool L1Lines::Line::evicted_at(uint32_t step) const
{
    const auto found = std::ranges::lower_bound(events, step, {}, &Event::step);
    return found != events.end() && found->step == step && !found->stays;
}

L1Lines l1_lines(const recording::Recording& recording, const recording::BlockTrace& block, const uint64_t& bytes)
{
    L1Lines made;
    for (const recording::WarpTrace& warp : block.warps)
        made.steps = std::max(made.steps, static_cast<uint32_t>(warp.accesses.size()));
    LeastRecentlyUsed cache(made, bytes);
    for (uint32_t step = 0; step < made.steps; ++step)
        for (const recording::WarpTrace& warp : block.warps) {
            if (step >= warp.accesses.size() || warp.accesses[step].op != recording::Op::global_load)
                continue;
            const recording::Access& access = warp.accesses[step];
            if (access.array < recording.arrays.size())
                for (const auto& [line, sectors] : sectors_by_line(access))
                    cache.read(step, {access.array, line}, sectors);
        }
    cache.end();
    return made;
}

} // namespace viz
