#include "measure/counter_check.h"

#include <algorithm>
#include <vector>

namespace kernels {

namespace {

using recording::Op;

// Returns whether the recording has no addresses for this group, because it contains loads or stores of WMMA fragments.
bool is_opaque(const recording::Recording& recording, Op group)
{
    const bool load = group == Op::shared_load || group == Op::global_load;
    const auto space =
        group == Op::shared_load || group == Op::shared_store ? recording::Space::shared : recording::Space::global;
    for (const recording::BlockTrace& block : recording.blocks)
        for (const recording::WarpTrace& warp : block.warps)
            for (const recording::Access& access : warp.accesses)
                if (access.op == (load ? Op::tile_load : Op::tile_store) &&
                    recording.arrays.at(access.array).space == space)
                    return true;
    return false;
}

// Returns how many conflicts the hardware may count in excess because of arbitration with other traffic. Arbitration is
// counted in another run than the conflicts: on an H200 there were 22,688 excess conflicts for a count of 22,381.
uint64_t allowance(const CounterFigures& counted)
{
    const uint64_t arbitration = counted.arbitration.value_or(0);
    return arbitration + arbitration / 4;
}

struct Derived {
    const recording::Totals& written;
    const std::optional<recording::Totals>& executed;
};

// Compares one figure; `get` selects it from the totals, and `counted` is the counter's value.
template <class Get>
CheckedFigure compare(const char* group, const char* figure, const Derived& derived, std::optional<uint64_t> counted,
                      const Get& get)
{
    CheckedFigure result{group, figure, get(derived.written), std::nullopt, counted};
    if (derived.executed)
        result.executed = get(*derived.executed);
    result.agreement = !counted                       ? Agreement::not_counted
                       : *counted == result.derived() ? Agreement::equal
                                                      : Agreement::differs;
    return result;
}

using Rows = std::vector<CheckedFigure>;

Rows compare_shared(const char* group, const Derived& derived, recording::SharedTotals recording::Totals::*part,
                    const CounterFigures::Shared& counted)
{
    using T = recording::Totals;
    return {
        compare(group, "instructions", derived, counted.instructions,
                [part](const T& t) { return (t.*part).instructions; }),
        compare(group, "wavefronts", derived, counted.wavefronts, [part](const T& t) { return (t.*part).wavefronts; }),
        compare(group, "conflicts", derived, counted.conflicts, [part](const T& t) { return (t.*part).conflicts; })};
}

Rows compare_global(const char* group, const Derived& derived, recording::GlobalTotals recording::Totals::*part,
                    const CounterFigures::Global& counted)
{
    using T = recording::Totals;
    return {compare(group, "requests", derived, counted.requests, [part](const T& t) { return (t.*part).requests; }),
            compare(group, "sectors", derived, counted.sectors, [part](const T& t) { return (t.*part).sectors; })};
}

void allow_arbitration(CheckedFigure& conflicts, uint64_t allowed)
{
    if (conflicts.agreement == Agreement::differs && *conflicts.counted > conflicts.derived() &&
        *conflicts.counted - conflicts.derived() <= allowed)
        conflicts.agreement = Agreement::arbitration;
}

// Marks loads that the compiler merged. Merging neighbouring loads saves instructions and can save wavefronts, but each
// instruction takes at least one wavefront.
void mark_merged(Rows& loads)
{
    const CheckedFigure &instructions = loads[0], &wavefronts = loads[1], &conflicts = loads[2];
    if (instructions.executed || instructions.agreement != Agreement::differs || !wavefronts.counted ||
        !conflicts.counted)
        return;
    if (*instructions.counted == 0 || *instructions.counted > instructions.written ||
        *wavefronts.counted < *instructions.counted || *wavefronts.counted > wavefronts.written ||
        *conflicts.counted > conflicts.written)
        return;
    for (CheckedFigure& row : loads)
        if (row.agreement == Agreement::differs)
            row.agreement = Agreement::merged;
}

} // namespace

std::string_view words(Agreement agreement)
{
    switch (agreement) {
    case Agreement::equal: return "The counter says the same.";
    case Agreement::arbitration: return "The same but for waits for other traffic, which the hardware counts too.";
    case Agreement::merged: return "Fewer: the compiler joined neighbouring loads, or kept what was loaded before.";
    case Agreement::opaque: return "Not comparable: WMMA's fragments have no addresses in a recording.";
    case Agreement::not_counted: return "This GPU has no such counter.";
    case Agreement::differs: break;
    }
    return "They differ, and it is not known why.";
}

bool agrees(Agreement agreement)
{
    return agreement != Agreement::differs && agreement != Agreement::not_counted;
}

bool CounterCheck::ok() const
{
    return std::all_of(figures.begin(), figures.end(),
                       [](const CheckedFigure& figure) { return agrees(figure.agreement); });
}

CounterCheck check(const recording::Recording& recording, const std::optional<recording::Totals>& executed,
                   const Counters& counters)
{
    using T = recording::Totals;
    const T written = recording.totals();
    const Derived derived{written, executed};
    const CounterFigures counted = figures(counters);
    Rows loads = compare_shared("shared_load", derived, &T::shared_load, counted.shared_load);
    Rows stores = compare_shared("shared_store", derived, &T::shared_store, counted.shared_store);
    allow_arbitration(loads[2], allowance(counted));
    allow_arbitration(stores[2], allowance(counted));
    mark_merged(loads);

    CounterCheck result;
    const auto add = [&](Op group, Rows rows) {
        const bool opaque = is_opaque(recording, group);
        for (CheckedFigure& row : rows) {
            if (opaque)
                row.agreement = Agreement::opaque;
            result.figures.push_back(row);
        }
    };
    add(Op::shared_load, loads);
    add(Op::shared_store, stores);
    add(Op::global_load, compare_global("global_load", derived, &T::global_load, counted.global_load));
    add(Op::global_store, compare_global("global_store", derived, &T::global_store, counted.global_store));
    return result;
}

} // namespace kernels
