#include "app/panels/header/origins.h"

#include "app/panels/header/badge.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace app {

namespace {

constexpr uint32_t checked_capability = 90; // of the GPU on which the rules of access_cost.h were measured

struct Group {
    Origin origin;
    std::string words, device; // words: what stands behind the name of the numbers
};

std::string recorded_on(const recording::Recording& recording)
{
    return recording.device.backend == "cpu" ? "this CPU, access by access as on a GPU" : recording.device.name;
}

// Of the GPU itself: what was measured of it; where nothing was, what its driver says.
std::optional<Group> group_of_gpu(const Session& session)
{
    const viz::Provenance& from = session.gpu_from();
    const Machine* machine = session.machine();
    if (from.device.empty())
        return machine != nullptr && machine->gpu()
                   ? std::optional(
                         Group{Origin::recorded, "", "what its driver says of " + machine->backend->device().name})
                   : std::nullopt;
    return Group{from.here ? Origin::measured : Origin::shipped, "", viz::device_and_date(from)};
}

// None where there are no such numbers.
std::optional<Group> group_of(Session& session, const viz::Numbers& numbers, const recording::Recording& recording)
{
    using How = viz::Numbers::How;
    const Machine* machine = session.machine();
    switch (numbers.how) {
    case How::recorded: return Group{Origin::recorded, "", recorded_on(recording)};
    case How::derived: return Group{Origin::derived, "", ""};
    case How::timed:
        if (machine != nullptr && machine->gpu())
            return Group{Origin::measured, "", machine->backend->device().name};
        if (!session.shipped_speeds().missing.empty())
            return std::nullopt;
        return Group{Origin::shipped, "",
                     fmt::format("{}, {}", session.shipped_speeds().device, session.shipped_speeds().date)};
    case How::gpu: return group_of_gpu(session);
    case How::counted:
        if (!numbers.from)
            return std::nullopt;
        if (numbers.from->here)
            return Group{Origin::counter, "", numbers.from->device};
        return Group{Origin::counter, fmt::format(" · {}, shipped", viz::device_and_date(*numbers.from)),
                     fmt::format("{} ({}, shipped with gemmscope)", numbers.from->device, numbers.from->date)};
    }
    return std::nullopt;
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
    viz::mark_item(state.marks, fmt::format("origin:{}", viz::name(group.origin)));
}

} // namespace

void draw_origins(Session& session, State& state)
{
    const recording::Recording* recording = session.first().recording.get();
    if (recording == nullptr)
        return;
    bool first = true;
    for (const viz::Numbers& numbers : state.views[state.view]->numbers()) {
        std::optional<Group> group = group_of(session, numbers, *recording);
        if (!group)
            continue;
        group->words = fmt::format("{}: {}{}", viz::name(group->origin), numbers.what, group->words);
        draw(state, *group, std::exchange(first, false));
    }
    const uint32_t capability = recording->device.compute_capability;
    if (capability != 0 && capability != checked_capability)
        text_wrapped(
            state.theme.warning,
            fmt::format("The rules of banks and sectors were checked on sm_{}, and this is sm_{}: counters tell.",
                        checked_capability, capability));
}

} // namespace app
