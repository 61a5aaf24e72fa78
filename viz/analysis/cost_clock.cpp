#include "viz/analysis/cost_clock.h"

#include "viz/analysis/access.h"

#include "model/recorded_copy.h"

#include <algorithm>

namespace viz {

namespace {

uint64_t cost_of(const recording::WarpTrace& warp, std::size_t step, ClockUnit unit)
{
    const recording::Access& access = warp.accesses[step];
    if (unit == ClockUnit::steps)
        return 1;
    if (unit == ClockUnit::sectors) {
        const bool copies = access.op == recording::Op::async_load && step + 1 < warp.accesses.size();
        return static_cast<uint64_t>(global_cost(access, copies ? &warp.accesses[step + 1] : nullptr).sectors);
    }
    if (const auto copy = model::copy_at(warp, step))
        return static_cast<uint64_t>(model::copy_write(*copy).wavefronts);
    return static_cast<uint64_t>(shared_cost(access).wavefronts);
}

} // namespace

CostClock::CostClock(const recording::WarpTrace& warp, ClockUnit unit)
{
    uint64_t end = 0;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step)
        ends_.push_back(end += cost_of(warp, step, unit));
}

std::size_t CostClock::step_at(uint64_t time) const
{
    const auto step = std::ranges::upper_bound(ends_, time);
    return step == ends_.end() ? ends_.size() - std::min<std::size_t>(ends_.size(), 1)
                               : static_cast<std::size_t>(step - ends_.begin());
}

ClockUnit usual_unit(const recording::WarpTrace& warp)
{
    const auto any = [&](auto what) {
        return std::ranges::any_of(warp.accesses, [&](const recording::Access& access) { return what(access.op); });
    };
    return any(touches_shared) ? ClockUnit::wavefronts : any(is_global) ? ClockUnit::sectors : ClockUnit::steps;
}

} // namespace viz
