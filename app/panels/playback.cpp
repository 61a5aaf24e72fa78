#include "app/panels/playback.h"

#include "viz/figure/raster.h"

#include <algorithm>
#include <utility>

namespace app {

std::size_t moved(std::size_t step, long by, std::size_t count)
{
    if (count == 0)
        return 0;
    const long last = static_cast<long>(count) - 1;
    return static_cast<std::size_t>(std::clamp(static_cast<long>(step) + by, 0L, last));
}

std::size_t next_phase(const std::vector<viz::Phase>& phases, std::size_t step)
{
    if (phases.empty())
        return 0;
    for (const viz::Phase& phase : phases)
        if (phase.first > step)
            return phase.first;
    return phases.back().first + phases.back().count - 1;
}

std::size_t previous_phase(const std::vector<viz::Phase>& phases, std::size_t step)
{
    std::size_t result = 0;
    for (const viz::Phase& phase : phases)
        if (phase.first < step)
            result = phase.first;
    return result;
}

void Playback::advance(double seconds, double end)
{
    if (!playing_)
        return;
    time_ = std::min(time_ + seconds * speed_, end);
    if (time_ >= end)
        stop();
}

void reveal(viz::TimeWindow& shown, double begin, double end, double all)
{
    const double before = begin - shown.from, behind = std::min(before, end - shown.until);
    shown.move(before < 0 ? before : std::max(behind, 0.0), {.whole = all});
}

void WarpTrack::follow(const std::shared_ptr<const recording::Recording>& recording, const viz::Selection& selection)
{
    if (recording == recording_ && selection.block == block_index_ && selection.warp == warp_index_)
        return;
    if (recording != recording_)
        elements_ = recording == nullptr ? std::vector<viz::Elements>{} : viz::elements_of(*recording);
    recording_ = recording;
    block_index_ = selection.block;
    warp_index_ = selection.warp;
    block_ = nullptr;
    warp_ = nullptr;
    phases_.clear();
    last_phases_.clear();
    copies_.clear();
    uses_shared_ = true;
    k_tiles_ = 0;
    unit_.reset();
    making_.drop();
    clock_ = {};
    if (recording == nullptr || recording->blocks.empty())
        return;
    block_ = &recording->blocks[std::min(block_index_, recording->blocks.size() - 1)];
    if (block_->warps.empty())
        return;
    warp_ = &block_->warps[std::min(warp_index_, block_->warps.size() - 1)];
    phases_ = viz::phases(*recording_, *warp_);
    for (std::size_t i = 0; i < phases_.size(); ++i)
        last_phases_[phases_[i].kind] = i;
    k_tiles_ = viz::k_tiles_of(phases_);
    uses_shared_ = viz::uses_shared(*warp_);
    computes_ = viz::computes(*recording_, *warp_);
    starts_copies_ = viz::has_op(*warp_, recording::Op::async_load) || viz::has_op(*warp_, recording::Op::bulk_load);
    if (starts_copies_)
        copies_ = viz::copies_under_way(phases_);
}

const viz::Phase* WarpTrack::last_phase(viz::PhaseKind kind) const
{
    const auto last = last_phases_.find(kind);
    return last == last_phases_.end() ? nullptr : &phases_[last->second];
}

const recording::Access* WarpTrack::access(std::size_t step) const
{
    if (steps() == 0)
        return nullptr;
    return &warp_->accesses[std::min(step, steps() - 1)];
}

const std::string& WarpTrack::stored_array() const
{
    const auto& all = warp_->accesses;
    const auto last = std::find_if(all.rbegin(), all.rend(), [](const auto& access) {
        return viz::is_store(access.op) || access.op == recording::Op::global_atomic ||
               access.op == recording::Op::shared_atomic;
    });
    return recording_->arrays[last == all.rend() ? 2 : last->array].name;
}

std::optional<std::size_t> WarpTrack::next_on_line(uint32_t line, std::size_t step) const
{
    for (std::size_t i = 1; i <= steps(); ++i) {
        const std::size_t candidate = (step + i) % steps();
        if (warp_->accesses[candidate].line == line)
            return candidate;
    }
    return std::nullopt;
}

bool WarpTrack::keep_time(viz::ClockUnit unit)
{
    constexpr std::size_t at_once = 20'000; // number of accesses whose costs are computed within the frame
    const bool other = unit_ != unit;
    if (other) {
        unit_ = unit;
        making_.drop();
        clock_ = {};
        if (warp_ != nullptr && warp_->accesses.size() > at_once)
            clock_ = viz::Clock(*warp_, viz::ClockUnit::steps);
        if (warp_ != nullptr)
            making_.start([kept = recording_, warp = warp_, unit] { return viz::Clock(*warp, unit); },
                          warp_->accesses.size() <= at_once);
    }
    auto made = making_.take();
    if (made)
        clock_ = std::move(*made);
    if (other || made)
        lanes_ = std::make_shared<viz::LaneRaster>();
    return other || made;
}

} // namespace app
