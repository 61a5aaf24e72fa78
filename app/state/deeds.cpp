#include "app/state/deeds.h"

#include "viz/text/figures.h"

#include <algorithm>
#include <limits>

namespace app {

namespace {

bool reads_wide(const recording::Recording& recording)
{
    constexpr uint16_t wide = 16; // bytes of a lane
    if (recording.blocks.empty() || recording.blocks.front().warps.empty())
        return false;
    return std::ranges::any_of(recording.blocks.front().warps.front().accesses, [](const recording::Access& access) {
        return access.op == recording::Op::shared_load && access.width == wide;
    });
}

// A task, checked by what was recorded and measured.
bool solved(const Snapshot& snapshot, Deed task)
{
    const viz::ShownStage& shown = snapshot.first();
    if (shown.recording == nullptr || snapshot.shown[0].busy)
        return false;
    if (task == Deed::near_cublas) {
        const viz::Speed& speed = shown.speed.of_cublas ? shown.speed : shown.shipped; // only what is right has one
        return speed.of_cublas && *speed.of_cublas >= 0.9;
    }
    const recording::Totals totals = shown.recording->totals();
    if (task == Deed::free_loads)
        return totals.shared_load.instructions > 0 && totals.shared_load.conflicts == 0;
    const recording::SharedTotals shared = viz::shared_totals(totals);
    return shared.instructions > 0 && shared.conflicts == 0 &&
           (task == Deed::own_file ? snapshot.choice.file.has_value() : reads_wide(*shown.recording));
}

// Of the first stage, and of nothing else.
std::size_t changed_parameters(const Snapshot& snapshot, const Whereabouts& before)
{
    const auto stage = snapshot.first_stage();
    if (!stage || stage != before.choice.stages[0] || snapshot.choice.file)
        return std::numeric_limits<std::size_t>::max();
    const auto found = before.choice.parameters.find(*stage);
    const kernels::ParameterValues& then =
        found != before.choice.parameters.end() ? found->second : snapshot.ladder()[*stage].standard_parameters();
    const kernels::ParameterValues& now = snapshot.shown[0].parameters;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < std::min(then.size(), now.size()); ++i)
        changed += then[i] != now[i] ? 1 : 0;
    return changed;
}

} // namespace

bool did(const Snapshot& snapshot, const State& state, const OpenLesson& open)
{
    const LessonStep& step = open.lesson->steps[open.step];
    const auto& arrived = state.learning.arrived;
    switch (step.deed) {
    case Deed::none: return false;
    case Deed::stage: return arrived && snapshot.choice.stages[0] != arrived->choice.stages[0];
    case Deed::play: return state.playback.playing();
    case Deed::step: return arrived && state.selection.step != arrived->selection.step;
    case Deed::compare: return snapshot.choice.comparing() && state.playback.playing();
    case Deed::parameter: return arrived && snapshot.choice.parameters != arrived->choice.parameters;
    case Deed::free_loads: return arrived && changed_parameters(snapshot, *arrived) == 1 && solved(snapshot, step.deed);
    case Deed::conflict_free:
    case Deed::own_file:
    case Deed::near_cublas: return arrived && snapshot.choice != arrived->choice && solved(snapshot, step.deed);
    }
    return false;
}

} // namespace app
