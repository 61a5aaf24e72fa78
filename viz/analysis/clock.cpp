#include "viz/analysis/clock.h"

#include "viz/analysis/access.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <optional>

namespace viz {

namespace {

using recording::WarpTrace;

// Returns the cost of a shared access, including the write of a copy.
model::SharedCost shared_cost_at(const WarpTrace& warp, std::size_t step, SharedCosts& costs)
{
    const auto copy = model::copy_at(warp, step);
    return copy ? model::copy_write(*copy) : costs.of(warp.accesses[step]);
}

model::GlobalCost global_cost_at(const WarpTrace& warp, std::size_t step)
{
    return global_cost(warp.accesses[step], step + 1 < warp.accesses.size() ? &warp.accesses[step + 1] : nullptr);
}

uint64_t cost_of(const WarpTrace& warp, std::size_t step, ClockUnit unit, SharedCosts& shared)
{
    switch (unit) {
    case ClockUnit::wavefronts: return static_cast<uint64_t>(shared_cost_at(warp, step, shared).wavefronts);
    case ClockUnit::sectors: return static_cast<uint64_t>(global_cost_at(warp, step).sectors);
    case ClockUnit::steps: break;
    }
    return 1;
}

// Returns whether the access uses shared memory at a cost that is not known: without addresses of lanes (tensor cores
// that read it directly, WMMA's tiles), or as an atomic operation without a rule.
bool hides_wavefronts(const recording::Access& access)
{
    using recording::Op;
    if (access.op == Op::shared_atomic)
        return !has_shared_cost(access);
    return access.op == Op::tile_load || access.op == Op::tile_store || reads_tile_itself(access);
}

// Returns the first step with the largest value, if that is above zero.
template <class Figure>
std::optional<std::size_t> worst(const WarpTrace& warp, Figure figure)
{
    std::optional<std::size_t> found;
    int most = 0;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step)
        if (const int value = figure(step); value > most) {
            most = value;
            found = step;
        }
    return found;
}

} // namespace

Clock::Clock(const WarpTrace& warp, ClockUnit unit) : begins_(warp.accesses.size() + 1)
{
    SharedCosts shared;
    for (const recording::Access& access : warp.accesses)
        leaves_out_ = leaves_out_ || (unit == ClockUnit::wavefronts && hides_wavefronts(access));
    for (std::size_t step = 0; step < warp.accesses.size(); ++step)
        begins_[step + 1] = begins_[step] + std::max<uint64_t>(cost_of(warp, step, unit, shared), 1);
}

uint64_t Clock::begin(std::size_t step) const
{
    return begins_.empty() ? 0 : begins_[std::min(step, begins_.size() - 1)];
}

std::size_t Clock::step_at(double time) const
{
    if (begins_.size() < 2)
        return 0;
    const auto after = std::upper_bound(begins_.begin() + 1, begins_.end() - 1, std::max(time, 0.0),
                                        [](double t, uint64_t begin) { return t < static_cast<double>(begin); });
    return static_cast<std::size_t>(after - begins_.begin()) - 1;
}

double Clock::share_of_step(double time) const
{
    const std::size_t step = step_at(time);
    const auto length = static_cast<double>(cost(step));
    return length == 0 ? 1 : std::clamp((time - static_cast<double>(begin(step))) / length, 0.0, 1.0);
}

bool uses_shared(const WarpTrace& warp)
{
    return std::ranges::any_of(warp.accesses, [](const recording::Access& access) {
        return touches_shared(access.op) || access.op == recording::Op::shared_atomic;
    });
}

ClockUnit telling_unit(bool all_use_shared)
{
    return all_use_shared ? ClockUnit::wavefronts : ClockUnit::sectors;
}

double lead(const Clock& first, const Clock& second, double time)
{
    const std::size_t steps = first.steps();
    if (steps == 0 || second.steps() == 0)
        return 0;
    const double done = static_cast<double>(second.step_at(time)) + second.share_of_step(time);
    const double reached = done * static_cast<double>(steps) / static_cast<double>(second.steps());
    const auto step = std::min(static_cast<std::size_t>(reached), steps - 1);
    const double needed = static_cast<double>(first.begin(step)) +
                          (reached - static_cast<double>(step)) * static_cast<double>(first.cost(step));
    return needed - std::min(time, static_cast<double>(second.total()));
}

std::optional<double> work_of_warp(const recording::Recording& first, const recording::Recording& second)
{
    const auto warps = [](const recording::Recording& recording) {
        return static_cast<double>(recording.launch.grid.volume()) *
               static_cast<double>(recording.launch.warps_per_block());
    };
    if (!(first.problem == second.problem) || warps(second) == 0)
        return {};
    return warps(first) / warps(second);
}

uint32_t telling_warp(const recording::BlockTrace& block, uint32_t wanted)
{
    const auto works = [](const WarpTrace& warp) {
        return std::ranges::any_of(warp.accesses, [](const recording::Access& access) {
            using recording::Op;
            const bool bulk = access.op == Op::bulk_load || access.op == Op::bulk_store;
            return access.op == Op::matrix_multiply || access.op == Op::shuffle ||
                   (recording::has_addresses(access) && !bulk);
        });
    };
    if (block.warps.empty() || works(block.warps[std::min<std::size_t>(wanted, block.warps.size() - 1)]))
        return wanted;
    const auto found = std::ranges::find_if(block.warps, works);
    return found == block.warps.end() ? wanted : static_cast<uint32_t>(found - block.warps.begin());
}

std::size_t default_step(const WarpTrace& first, const WarpTrace* second)
{
    SharedCosts shared;
    if (second != nullptr) {
        const std::size_t both = std::min(first.accesses.size(), second->accesses.size());
        for (std::size_t step = 0; step < both; ++step)
            if (first.accesses[step].op == second->accesses[step].op &&
                (shared_cost_at(first, step, shared).wavefronts != shared_cost_at(*second, step, shared).wavefronts ||
                 global_cost_at(first, step).sectors != global_cost_at(*second, step).sectors))
                return step;
        for (std::size_t step = 0; step < both; ++step)
            if (first.accesses[step].op != second->accesses[step].op)
                return step;
    }
    if (const auto step = worst(first, [&](std::size_t i) { return shared_cost_at(first, i, shared).conflicts; }))
        return *step;
    if (const auto step = nearest_step(first, 0, [&](std::size_t i) { return is_shared(first.accesses[i].op); }))
        return *step;
    const auto multiplies = std::ranges::find(first.accesses, recording::Op::matrix_multiply, &recording::Access::op);
    if (multiplies != first.accesses.end())
        return static_cast<std::size_t>(multiplies - first.accesses.begin());
    return worst(first, [&](std::size_t i) { return global_cost_at(first, i).sectors; }).value_or(0);
}

std::size_t step_in_moved_tile(const recording::Recording& recording, const WarpTrace& warp, std::size_t step)
{
    std::vector<bool> moved;
    for (const recording::Array& array : recording.arrays) {
        const auto in_place = [&](uint64_t i) {
            const auto row = static_cast<uint32_t>(i / array.cols), col = static_cast<uint32_t>(i % array.cols);
            return array.offset_of(row, col) == i * array.element_bytes;
        };
        bool all = true;
        for (uint64_t i = 0; all && i < uint64_t{array.rows} * array.cols; ++i)
            all = array.space != recording::Space::shared || in_place(i);
        moved.push_back(!all);
    }
    const auto goes_there = [&](const recording::Access& access) {
        return is_shared(access.op) && access.array < moved.size() && moved[access.array];
    };
    if (step < warp.accesses.size() && goes_there(warp.accesses[step]))
        return step;
    const auto found = std::ranges::find_if(warp.accesses, goes_there);
    return found == warp.accesses.end() ? step : static_cast<std::size_t>(found - warp.accesses.begin());
}

} // namespace viz
