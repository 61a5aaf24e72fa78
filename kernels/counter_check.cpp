#include "counter_check.h"

#include <algorithm>

namespace kernels {

namespace {

using recording::Op;

// WMMA's loads and stores of fragments have no addresses in a recording.
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

CheckedFigure compare(std::string_view group, std::string_view figure, uint64_t derived,
                      std::optional<uint64_t> counted)
{
    const Agreement agreement = !counted              ? Agreement::not_counted
                                : *counted == derived ? Agreement::equal
                                                      : Agreement::differs;
    return {group, figure, derived, counted, agreement};
}

struct SharedRows {
    CheckedFigure instructions, wavefronts, conflicts;
};

SharedRows compare(std::string_view group, const recording::SharedTotals& derived,
                   const CounterFigures::Shared& counted, uint64_t arbitration)
{
    SharedRows rows{compare(group, "instructions", derived.instructions, counted.instructions),
                    compare(group, "wavefronts", derived.wavefronts, counted.wavefronts),
                    compare(group, "conflicts", derived.conflicts, counted.conflicts)};
    const CheckedFigure& conflicts = rows.conflicts;
    if (conflicts.agreement == Agreement::differs && *conflicts.counted > conflicts.derived &&
        *conflicts.counted - conflicts.derived <= arbitration)
        rows.conflicts.agreement = Agreement::arbitration;
    return rows;
}

// Joining neighbours saves instructions and can save wavefronts, and an instruction takes at least one.
void mark_merged(SharedRows& rows)
{
    if (rows.instructions.agreement != Agreement::differs || !rows.wavefronts.counted || !rows.conflicts.counted)
        return;
    const uint64_t instructions = *rows.instructions.counted, wavefronts = *rows.wavefronts.counted;
    if (instructions == 0 || instructions > rows.instructions.derived || wavefronts < instructions ||
        wavefronts > rows.wavefronts.derived || *rows.conflicts.counted > rows.conflicts.derived)
        return;
    for (CheckedFigure* row : {&rows.instructions, &rows.wavefronts, &rows.conflicts})
        if (row->agreement == Agreement::differs)
            row->agreement = Agreement::merged;
}

} // namespace

bool agrees(Agreement agreement)
{
    return agreement != Agreement::differs && agreement != Agreement::not_counted;
}

bool CounterCheck::ok() const
{
    return std::all_of(figures.begin(), figures.end(),
                       [](const CheckedFigure& figure) { return agrees(figure.agreement); });
}

CounterCheck check(const recording::Totals& derived, const recording::Recording& recording, const Counters& counters)
{
    const CounterFigures counted = figures(counters);
    const uint64_t arbitration = counted.arbitration.value_or(0);
    SharedRows loads = compare("shared_load", derived.shared_load, counted.shared_load, arbitration);
    mark_merged(loads);
    const SharedRows stores = compare("shared_store", derived.shared_store, counted.shared_store, arbitration);

    CounterCheck result;
    const auto add = [&](Op group, std::initializer_list<CheckedFigure> rows) {
        const bool opaque = is_opaque(recording, group);
        for (CheckedFigure row : rows) {
            if (opaque)
                row.agreement = Agreement::opaque;
            result.figures.push_back(row);
        }
    };
    add(Op::shared_load, {loads.instructions, loads.wavefronts, loads.conflicts});
    add(Op::shared_store, {stores.instructions, stores.wavefronts, stores.conflicts});
    add(Op::global_load,
        {compare("global_load", "requests", derived.global_load.requests, counted.global_load.requests),
         compare("global_load", "sectors", derived.global_load.sectors, counted.global_load.sectors)});
    add(Op::global_store,
        {compare("global_store", "requests", derived.global_store.requests, counted.global_store.requests),
         compare("global_store", "sectors", derived.global_store.sectors, counted.global_store.sectors)});
    return result;
}

} // namespace kernels
