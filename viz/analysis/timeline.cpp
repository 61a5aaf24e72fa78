#include "viz/analysis/timeline.h"

#include "viz/analysis/access.h"

#include <algorithm>
#include <set>

namespace viz {

using recording::Op;

namespace {

constexpr uint8_t array_C = 2;

struct Shape {
    bool staged = false;        // operands reach the arithmetic through shared memory or from other lanes
    bool multiplies = false;    // on the tensor cores, in steps of their own
    bool repeats = false;       // a line loads A or B more than once: there is a loop
    std::size_t after_work = 0; // the first step after the last one that is or feeds the arithmetic
};

// The last stop of an operand before the arithmetic.
bool is_last_stop(const recording::Access& access, const Shape& shape)
{
    switch (access.op) {
    case Op::shared_load:
    case Op::matrix_load:
    case Op::tile_load:
    case Op::shuffle:
    case Op::matrix_multiply: return true;
    case Op::global_load: return !shape.staged && access.array != array_C;
    default: return false;
    }
}

Shape shape_of(const recording::WarpTrace& warp)
{
    Shape shape;
    for (const recording::Access& access : warp.accesses) {
        shape.multiplies |= access.op == Op::matrix_multiply;
        shape.staged |= access.op == Op::shuffle || is_shared(access.op);
    }
    std::set<uint32_t> lines;
    for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
        const recording::Access& access = warp.accesses[step];
        if (shape.multiplies ? access.op != Op::matrix_multiply : !is_last_stop(access, shape))
            continue;
        shape.after_work = step + 1;
        shape.repeats = shape.repeats || (!shape.staged && !lines.insert(access.line).second);
    }
    return shape;
}

PhaseKind kind_of(const recording::Access& access, std::size_t step, const Shape& shape)
{
    if (access.op == Op::barrier)
        return PhaseKind::barrier;
    if (step >= shape.after_work)
        return PhaseKind::store;
    if (shape.staged)
        return is_last_stop(access, shape) ? PhaseKind::compute : PhaseKind::load;
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
