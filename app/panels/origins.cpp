#include "app/panels/origins.h"

#include "app/panels/badge.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <utility>

namespace app {

namespace {

constexpr uint32_t checked_capability = 90; // of the GPU on which the rules of access_cost.h were measured

struct Group {
    Origin origin;
    std::string words, device;
};

std::string recorded_on(const recording::Recording& recording)
{
    return recording.device.backend == "cpu" ? "this CPU, access by access as on a GPU" : recording.device.name;
}

Group group_of(Session& session, const viz::Numbers& numbers, const recording::Recording& recording)
{
    using How = viz::Numbers::How;
    const Machine* machine = session.machine();
    const bool gpu = machine != nullptr && machine->gpu();
    switch (numbers.how) {
    case How::recorded: return {Origin::recorded, "", recorded_on(recording)};
    case How::derived: return {Origin::derived, "", ""};
    case How::timed:
        if (gpu)
            return {Origin::measured, "", machine->backend->device().name};
        return {Origin::shipped, "",
                fmt::format("{}, {}", session.shipped_speeds().device, session.shipped_speeds().date)};
    case How::gpu: break;
    }
    const bool here = session.gpu_origin().starts_with("measured here");
    return {here ? Origin::measured : Origin::shipped, "", session.gpu_origin()};
}

// Beside the badge before it, or below where there is no room.
void draw(State& state, const Group& group, bool first)
{
    if (!first) {
        ImGui::SameLine(0, state.theme.px(16));
        if (ImGui::GetContentRegionAvail().x < badge_width(state.theme, group.words))
            ImGui::NewLine();
    }
    badge_left(state, group.origin, group.words, group.device);
}

} // namespace

void draw_origins(Session& session, State& state)
{
    const recording::Recording* recording = session.first().recording.get();
    if (recording == nullptr)
        return;
    bool first = true;
    for (const viz::Numbers& numbers : state.views[state.view]->numbers()) {
        Group group = group_of(session, numbers, *recording);
        group.words = fmt::format("{}: {}", viz::name(group.origin), numbers.what);
        draw(state, group, std::exchange(first, false));
    }
    const uint32_t capability = recording->device.compute_capability;
    if (capability != 0 && capability != checked_capability)
        text_wrapped(
            state.theme.warning,
            fmt::format("The rules of banks and sectors were checked on sm_{}, and this is sm_{}: counters tell.",
                        checked_capability, capability));
}

} // namespace app
