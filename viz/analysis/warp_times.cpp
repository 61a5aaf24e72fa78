#include "viz/analysis/warp_times.h"

#include "viz/analysis/counted.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace viz {

namespace {

using recording::Op;
using recording::TimedStep;
using recording::TimedWarp;
using recording::WarpTimes;

// Returns the cycles of the kernel itself after a step.
uint32_t own_after(const TimedWarp& warp, std::size_t step)
{
    return step + 1 < warp.steps.size() ? warp.steps[step + 1].since : warp.after;
}

// Returns the time at which the warp reached its next step or its end.
uint64_t next_at(const TimedWarp& warp, std::size_t step)
{
    return step + 1 < warp.steps.size() ? warp.steps[step + 1].at : warp.end;
}

// Returns the time at which the probe of a step ended.
uint64_t left_at(const TimedWarp& warp, std::size_t step)
{
    const uint64_t next = next_at(warp, step);
    return std::max(warp.steps[step].at, next - std::min<uint64_t>(own_after(warp, step), next));
}

constexpr uint8_t first_shared = 3; // index of the first shared tile in arrays, after A, B and C

bool loads_global(const TimedStep& step)
{
    return step.op == Op::global_load || (step.op == Op::tile_load && step.array < first_shared);
}

bool waits_for_copies(const TimedStep& step)
{
    return step.op == Op::async_wait || step.op == Op::wait;
}

// Returns whether the step may use a value loaded from global memory.
bool uses_registers(const TimedStep& step)
{
    switch (step.op) {
    case Op::shared_store:
    case Op::global_store:
    case Op::shuffle:
    case Op::matrix_multiply:
    case Op::tile_store:
    case Op::matrix_store:
    case Op::shared_atomic:
    case Op::global_atomic: return true;
    default: return false;
    }
}

// By block and number of the barrier: the time at which the last warp arrived.
class Barriers {
public:
    explicit Barriers(const WarpTimes& times)
    {
        for (const TimedWarp& warp : times.warps) {
            std::size_t number = 0;
            for (std::size_t step = 0; step < warp.steps.size(); ++step)
                if (warp.steps[step].op == Op::barrier)
                    come(warp.block, number++, left_at(warp, step));
        }
    }
    uint64_t opened(uint32_t block, std::size_t number) const { return opened_.at({block, number}); }

private:
    void come(uint32_t block, std::size_t number, uint64_t when)
    {
        uint64_t& last = opened_[{block, number}];
        last = std::max(last, when);
    }
    std::map<std::pair<uint32_t, std::size_t>, uint64_t> opened_;
};

class LaneMaker {
public:
    LaneMaker(const TimedWarp& warp, const Barriers& barriers, const LeastOfOps& least)
        : warp_(warp), barriers_(barriers), least_(least)
    {
    }

    std::vector<WarpInterval> all()
    {
        if (warp_.steps.empty()) {
            add(warp_.begin, warp_.end, WarpDoing::running, 0);
            return std::move(made_);
        }
        const TimedStep& first = warp_.steps.front();
        const uint64_t begun = first.at - std::min<uint64_t>(first.since, first.at - warp_.begin);
        add(warp_.begin, begun, WarpDoing::probe, 0);
        add(begun, first.at, WarpDoing::running, 0);
        for (std::size_t step = 0; step < warp_.steps.size(); ++step)
            add_step(step);
        return std::move(made_);
    }

private:
    void add(uint64_t from, uint64_t until, WarpDoing doing, std::size_t step)
    {
        if (until > from)
            made_.push_back({from, until, doing, step});
    }

    void add_step(std::size_t number)
    {
        const TimedStep& step = warp_.steps[number];
        const uint64_t left = left_at(warp_, number), next = next_at(warp_, number);
        add(step.at, left, WarpDoing::probe, number);
        if (step.op == Op::barrier) {
            const uint64_t opened = std::clamp(barriers_.opened(warp_.block, barrier_++), left, next);
            add(left, opened, WarpDoing::barrier, number);
            add(opened, next, WarpDoing::running, number);
            return;
        }
        const uint64_t least = std::min<uint64_t>(least_[static_cast<std::size_t>(step.op)], next - left);
        if (loads_global(step)) { // the load is issued first, and a later step may use its value
            loading_ = true;
            add(left, left + least, WarpDoing::running, number);
            add(left + least, next, WarpDoing::memory, number);
            return;
        }
        const bool first_use = loading_ && uses_registers(step);
        if (first_use || waits_for_copies(step)) { // the warp waits before the step is issued
            add(left, next - least, WarpDoing::memory, number);
            add(next - least, next, WarpDoing::running, number);
        } else {
            add(left, next, WarpDoing::running, number);
        }
        loading_ = loading_ && !first_use;
    }

    const TimedWarp& warp_;
    const Barriers& barriers_;
    const LeastOfOps& least_;
    std::vector<WarpInterval> made_;
    std::size_t barrier_ = 0;
    bool loading_ = false; // no step has used the loaded value yet
};

// A change, at one time, of the number of warps in one state.
struct Change {
    uint64_t when = 0;
    WarpDoing doing = WarpDoing::running;
    int by = 0;
};

std::vector<Change> changes_of(const SmOverTime& picture, const std::vector<SlotRow>& rows)
{
    std::vector<Change> changes;
    for (const SlotRow& row : rows)
        for (const std::size_t lane : row.lanes)
            for (const WarpInterval& one : picture.lanes[lane].intervals) {
                changes.push_back({one.from, one.doing, 1});
                changes.push_back({one.until, one.doing, -1});
            }
    std::ranges::sort(changes, {}, &Change::when);
    return changes;
}

SchedulerTime scheduler_time(const SmOverTime& picture, const std::vector<SlotRow>& rows)
{
    SchedulerTime time;
    std::array<int, doing_count> warps{};
    uint64_t now = 0;
    const auto of = [&](WarpDoing doing) { return warps[static_cast<std::size_t>(doing)]; };
    const auto stall = [&](uint64_t until, WarpDoing doing) {
        if (!time.stalls.empty() && time.stalls.back().until == now && time.stalls.back().doing == doing)
            time.stalls.back().until = until;
        else
            time.stalls.push_back({now, until, doing, 0});
    };
    const auto pass = [&](uint64_t until) {
        const uint64_t cycles = until - now;
        if (cycles == 0)
            return;
        if (of(WarpDoing::running) > 0) {
            time.running += cycles;
        } else if (of(WarpDoing::probe) > 0) {
            time.probe += cycles;
        } else if (of(WarpDoing::memory) > 0) {
            time.memory += cycles;
            stall(until, WarpDoing::memory);
        } else if (of(WarpDoing::barrier) > 0) {
            time.barrier += cycles;
            stall(until, WarpDoing::barrier);
        } else {
            time.empty += cycles;
        }
        now = until;
    };
    for (const Change& change : changes_of(picture, rows)) {
        pass(change.when);
        warps[static_cast<std::size_t>(change.doing)] += change.by;
    }
    pass(picture.span);
    return time;
}

uint32_t most_at_once(const WarpTimes& times)
{
    std::vector<std::pair<uint64_t, int>> changes; // at equal times, ends come first
    for (const TimedWarp& warp : times.warps) {
        changes.emplace_back(warp.begin, 1);
        changes.emplace_back(warp.end, -1);
    }
    std::ranges::sort(changes);
    int now = 0, most = 0;
    for (const auto& [when, by] : changes)
        most = std::max(most, now += by);
    return static_cast<uint32_t>(most);
}

double share_of_cycles(const SmOverTime& picture, uint64_t (*cycles)(const SchedulerTime&))
{
    uint64_t part = 0, all = 0;
    for (const SchedulerTime& one : picture.schedulers) {
        part += cycles(one);
        all += one.span() - one.empty;
    }
    return ratio_or_zero(part, all);
}

} // namespace

std::optional<FewAndMany> few_and_many(const WatchedStages& watched, const std::string& stage)
{
    FewAndMany found;
    for (const WarpTimes& one : watched.rows) {
        if (one.stage != stage)
            continue;
        const bool like =
            found.many == nullptr || (one.parameters == found.many->parameters && one.problem == found.many->problem);
        if (!like)
            continue;
        if (found.many == nullptr || one.resident_warps() > found.many->resident_warps())
            found.many = &one;
        if (found.few == nullptr || one.resident_warps() < found.few->resident_warps())
            found.few = &one;
    }
    if (found.many == nullptr)
        return std::nullopt;
    if (found.few->resident_warps() == found.many->resident_warps())
        found.few = nullptr;
    return found;
}

LeastOfOps least_of_ops(std::span<const WarpTimes* const> launches)
{
    constexpr uint32_t none = std::numeric_limits<uint32_t>::max();
    LeastOfOps least;
    least.fill(none);
    for (const WarpTimes* times : launches)
        for (const TimedWarp& warp : times->warps)
            for (std::size_t step = 0; step < warp.steps.size(); ++step) {
                uint32_t& one = least[static_cast<std::size_t>(warp.steps[step].op)];
                one = std::min(one, own_after(warp, step));
            }
    std::ranges::replace(least, none, 0u);
    return least;
}

std::size_t SmOverTime::row_count() const
{
    std::size_t count = 0;
    for (const std::vector<SlotRow>& one : rows)
        count += one.size();
    return count;
}

double SmOverTime::running_share() const
{
    return share_of_cycles(*this, [](const SchedulerTime& one) { return one.running; });
}

double SmOverTime::stalled_share() const
{
    return share_of_cycles(*this, [](const SchedulerTime& one) { return one.memory + one.barrier; });
}

SmOverTime sm_over_time(const WarpTimes& times, const LeastOfOps& least)
{
    SmOverTime picture{.times = &times};
    const Barriers barriers(times);
    std::array<std::map<uint32_t, std::vector<std::size_t>>, recording::schedulers_per_sm> slots;
    std::vector<uint32_t> blocks;
    for (std::size_t i = 0; i < times.warps.size(); ++i) {
        const TimedWarp& warp = times.warps[i];
        picture.lanes.push_back({i, LaneMaker(warp, barriers, least).all()});
        slots[recording::scheduler_of(warp)][warp.slot].push_back(i);
        blocks.push_back(warp.block);
    }
    std::ranges::sort(blocks);
    picture.blocks = static_cast<uint32_t>(std::ranges::unique(blocks).begin() - blocks.begin());
    picture.span = times.span();
    picture.most_at_once = most_at_once(times);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        for (auto& [slot, lanes] : slots[i])
            picture.rows[i].push_back({slot, std::move(lanes)});
        picture.schedulers[i] = scheduler_time(picture, picture.rows[i]);
    }
    return picture;
}

const WarpInterval* interval_at(const WarpLane& lane, uint64_t cycle)
{
    const auto after = std::ranges::upper_bound(lane.intervals, cycle, {}, &WarpInterval::from);
    if (after == lane.intervals.begin() || cycle >= (after - 1)->until)
        return nullptr;
    return &*(after - 1);
}

} // namespace viz
