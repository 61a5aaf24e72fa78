#include "viz/analysis/clock.h"

#include "viz/analysis/access.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace viz {

namespace {

using recording::WarpTrace;

// What accesses to shared memory cost. A kernel's loop makes few different ones again and again, and what counts of their
// addresses is where they lie to each other: moved by whole rows of banks they cost the same.
class SharedCosts {
public:
    model::SharedCost at(const WarpTrace& warp, std::size_t step)
    {
        if (const auto copy = model::copy_at(warp, step))
            return model::copy_write(*copy);
        const recording::Access& access = warp.accesses[step];
        if (!is_shared(access.op))
            return {};
        const auto [known, is_new] = known_.try_emplace(key_of(access));
        if (is_new)
            known->second = shared_cost(access);
        return known->second;
    }

private:
    struct Key {
        recording::Op op;
        uint8_t width;
        recording::Transposed transposed;
        uint32_t mask;
        std::array<uint32_t, recording::warp_size> offset;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const
        {
            uint64_t value = key.mask ^ uint64_t { key.width } << 32 ^ static_cast<uint64_t>(key.op) << 48;
            for (const uint32_t offset : key.offset)
                value = (value ^ offset) * 0x9e3779b97f4a7c15u;
            return value;
        }
    };

    static Key key_of(const recording::Access& access)
    {
        constexpr uint32_t row = model::banks * model::bank_bytes;
        uint32_t least = 0xffffffff;
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
            if (access.mask >> lane & 1u)
                least = std::min(least, access.offset[lane] / row * row);
        Key key{access.op, access.width, access.transposed, access.mask, {}};
        for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
            if (access.mask >> lane & 1u)
                key.offset[lane] = access.offset[lane] - least;
        return key;
    }

    std::unordered_map<Key, model::SharedCost, Hash> known_;
};

model::GlobalCost global_cost_at(const WarpTrace& warp, std::size_t step)
{
    return global_cost(warp.accesses[step], step + 1 < warp.accesses.size() ? &warp.accesses[step + 1] : nullptr);
}

uint64_t cost_of(const WarpTrace& warp, std::size_t step, ClockUnit unit, SharedCosts& shared)
{
    switch (unit) {
    case ClockUnit::wavefronts: return static_cast<uint64_t>(shared.at(warp, step).wavefronts);
    case ClockUnit::sectors: return static_cast<uint64_t>(global_cost_at(warp, step).sectors);
    case ClockUnit::steps: break;
    }
    return 1;
}

// Shared memory that tensor cores read by themselves, and WMMA's tiles, whose lanes do not tell their addresses.
bool hides_wavefronts(const recording::Access& access)
{
    using recording::Op;
    return access.op == Op::tile_load || access.op == Op::tile_store ||
           (access.op == Op::matrix_multiply && recording::has_addresses(access));
}

// The first step with the largest of a figure, where that is above `least`.
template <class Figure>
std::optional<std::size_t> worst(const WarpTrace& warp, double least, Figure figure)
{
    std::optional<std::size_t> found;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step)
        if (const double value = figure(step); value > least) {
            least = value;
            found = step;
        }
    return found;
}

} // namespace

std::string_view name(ClockUnit unit)
{
    switch (unit) {
    case ClockUnit::wavefronts: return "wavefronts";
    case ClockUnit::sectors: return "sectors";
    case ClockUnit::steps: break;
    }
    return "steps";
}

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
    return std::ranges::any_of(warp.accesses,
                               [](const recording::Access& access) { return touches_shared(access.op); });
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

std::size_t telling_step(const WarpTrace& first, const WarpTrace* second)
{
    SharedCosts shared;
    if (second != nullptr) {
        const std::size_t both = std::min(first.accesses.size(), second->accesses.size());
        for (std::size_t step = 0; step < both; ++step)
            if (first.accesses[step].op == second->accesses[step].op &&
                (shared.at(first, step).wavefronts != shared.at(*second, step).wavefronts ||
                 global_cost_at(first, step).sectors != global_cost_at(*second, step).sectors))
                return step;
        for (std::size_t step = 0; step < both; ++step)
            if (first.accesses[step].op != second->accesses[step].op)
                return step;
    }
    if (const auto step =
            worst(first, 0, [&](std::size_t i) { return static_cast<double>(shared.at(first, i).conflicts); }))
        return *step;
    if (const auto step = nearest_step(first, 0, [&](std::size_t i) { return is_shared(first.accesses[i].op); }))
        return *step;
    const auto multiplies = std::ranges::find(first.accesses, recording::Op::matrix_multiply, &recording::Access::op);
    if (multiplies != first.accesses.end())
        return static_cast<std::size_t>(multiplies - first.accesses.begin());
    return worst(first, 0, [&](std::size_t i) { return static_cast<double>(global_cost_at(first, i).sectors); })
        .value_or(0);
}

} // namespace viz
