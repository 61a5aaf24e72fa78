#include "viz/analysis/timeline.h"

#include <algorithm>
#include <set>

namespace viz {

using recording::Op;

namespace {

constexpr uint8_t array_C = 2;

struct Shape {
    bool shared = false;        // the warp uses shared memory
    bool repeats = false;       // a line loads A or B more than once: there is a loop
    std::size_t after_work = 0; // the first step after the last access that feeds the arithmetic
};

bool feeds_arithmetic(const recording::Access& access, bool shared)
{
    return shared ? access.op == Op::shared_load : access.op == Op::global_load && access.array != array_C;
}

Shape shape_of(const recording::WarpTrace& warp)
{
    Shape shape;
    for (const recording::Access& access : warp.accesses)
        shape.shared |= access.op == Op::shared_load || access.op == Op::shared_store;
    std::set<uint32_t> lines;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
        const recording::Access& access = warp.accesses[step];
        if (!feeds_arithmetic(access, shape.shared))
            continue;
        shape.after_work = step + 1;
        shape.repeats = shape.repeats || (!shape.shared && !lines.insert(access.line).second);
    }
    return shape;
}

PhaseKind kind_of(const recording::Access& access, std::size_t step, const Shape& shape)
{
    if (access.op == Op::barrier)
        return PhaseKind::barrier;
    if (step >= shape.after_work)
        return PhaseKind::store;
    if (shape.shared)
        return access.op == Op::shared_load ? PhaseKind::compute : PhaseKind::load;
    return shape.repeats ? PhaseKind::compute : PhaseKind::load;
}

} // namespace

std::vector<Phase> phases(const recording::Recording&, const recording::WarpTrace& warp)
{
    const Shape shape = shape_of(warp);
    std::vector<Phase> result;
    int computed = 0;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
        const PhaseKind kind = kind_of(warp.accesses[step], step, shape);
        const bool goes_on = !result.empty() && result.back().kind == kind && kind != PhaseKind::barrier;
        if (goes_on) {
            ++result.back().count;
            continue;
        }
        if (!result.empty() && result.back().kind == PhaseKind::compute)
            ++computed;
        result.push_back({.kind = kind, .k_tile = computed, .first = step, .count = 1});
    }
    return result;
}

const Phase& phase_at(const std::vector<Phase>& phases, std::size_t step)
{
    const auto after = std::upper_bound(phases.begin(), phases.end(), step,
                                        [](std::size_t s, const Phase& phase) { return s < phase.first; });
    return after == phases.begin() ? *after : *std::prev(after);
}

} // namespace viz
