#include "app/panels/header/origins.h"

#include "app/data/recordings.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/text/known.h"
#include "viz/text/rich.h"

#include "recording/recording.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

namespace app {

namespace {

constexpr float mark_radius = 3.5f;

void draw_badge(const viz::Theme& theme, Origin origin, ImVec2 at, std::string_view words)
{
    const float radius = theme.px(mark_radius);
    viz::draw_origin(*ImGui::GetWindowDrawList(), origin, {at.x + radius, at.y + line_height(theme.text) / 2}, radius,
                     theme.ink_quiet);
    draw_text(theme.text, {at.x + badge_width(theme, ""), at.y}, theme.ink_quiet, words);
}

} // namespace

std::string explained(Origin origin, std::string_view device)
{
    switch (origin) {
    case Origin::measured: return fmt::format("Measured: the kernel ran and was timed on {}.", device);
    case Origin::recorded:
        return "Recorded: the kernel ran instrumented, and its accesses were counted as its source says them. "
               "Resources are as the driver reported them.";
    case Origin::derived: break;
    case Origin::counter: return fmt::format("Counter: {} itself counted it while the untraced kernel ran.", device);
    case Origin::shipped: return fmt::format("Shipped: it comes with gemmscope, from {}.", device);
    }
    return "Derived: computed from the addresses by the rules of the hardware, which were measured on an H200.";
}

void explain_origin(State& state, const std::string& words)
{
    state.hint = state.tip = words;
    tooltip(state.theme, viz::rich("{}", words));
}

float badge_width(const viz::Theme& theme, std::string_view words)
{
    return theme.px(2 * mark_radius + 5) + text_width(theme.text, words);
}

void badge(State& state, Origin origin, std::string_view words, std::string_view device, bool right)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = badge_width(state.theme, words), height = line_height(state.theme.text);
    const float free = right ? std::max(ImGui::GetContentRegionAvail().x - width, 0.0f) : 0.0f;
    draw_badge(state.theme, origin, {at.x + free, at.y}, words);
    ImGui::Dummy({free + width, height});
    if (ImGui::IsItemHovered())
        explain_origin(state, explained(origin, device));
}

void badge_right(State& state, Origin origin, ImVec2 right_top, std::string_view words, std::string_view device)
{
    const ImVec2 min{right_top.x - badge_width(state.theme, words), right_top.y};
    draw_badge(state.theme, origin, min, words);
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(min, {right_top.x, min.y + line_height(state.theme.text)}))
        explain_origin(state, explained(origin, device));
}

namespace {

constexpr uint32_t checked_capability = 90; // capability of the GPU on which the rules of access_cost.h were checked

struct Group {
    Origin origin;
    std::string device;    // name of a GPU, or another source
    std::string shipped{}; // device of shipped numbers, if the text about the numbers must name it
};

std::string recorded_on(const recording::Recording& recording)
{
    if (recording.device.backend != "cpu")
        return recording.device.name;
    if (!recording.executed)
        return "this CPU, access by access as on a GPU";
    return recording::is_as_executed(recording) ? "this CPU, as executed: the accesses of the machine code for sm_90"
                                                : "this CPU, as written: the accesses that the PTX asks for";
}

// Returns the origin of the GPU's figures: its measurements, otherwise its driver's data.
std::optional<Group> group_of_gpu(const Snapshot& snapshot)
{
    const recording::Measured<recording::GpuMeasurement>& measured = snapshot.ladder_facts.gpu.measured;
    if (!measured)
        return snapshot.gpu() ? std::optional(Group{Origin::recorded,
                                                    "what its driver says of " + snapshot.machine()->device->name})
                              : std::nullopt;
    return Group{viz::origin_of(measured.from()), viz::device_and_date(measured.from())};
}

Group group_from(Origin origin, const viz::Provenance& from)
{
    if (!from.shipped)
        return {origin, from.device};
    return {origin, fmt::format("{} ({}, shipped with gemmscope)", from.device, from.date), viz::device_and_date(from)};
}

// Returns nothing if the view has no such numbers.
std::optional<Group> group_of(const Snapshot& snapshot, const viz::Numbers& numbers,
                              const recording::Recording& recording)
{
    using How = viz::Numbers::How;
    switch (numbers.how) {
    case How::recorded:
        return numbers.from ? group_from(Origin::recorded, *numbers.from)
                            : Group{Origin::recorded, recorded_on(recording)};
    case How::derived: return Group{Origin::derived, ""};
    case How::timed:
        if (snapshot.gpu())
            return Group{Origin::measured, snapshot.machine()->device->name};
        if (snapshot.catalogue->speeds.rows.empty())
            return std::nullopt;
        return Group{Origin::shipped, viz::device_and_date(snapshot.catalogue->speeds.from)};
    case How::gpu: return group_of_gpu(snapshot);
    case How::counted: return numbers.from ? std::optional(group_from(Origin::counter, *numbers.from)) : std::nullopt;
    }
    return std::nullopt;
}

struct Glyph {
    Group group;
    std::string_view what; // the numbers
};

std::vector<Glyph> glyphs_of(const Snapshot& snapshot, const State& state)
{
    std::vector<Glyph> glyphs;
    const recording::Recording* recording = snapshot.columns.front().recording.get();
    if (recording == nullptr)
        return glyphs;
    for (const viz::Numbers& numbers : state.view().numbers())
        if (std::optional<Group> group = group_of(snapshot, numbers, *recording))
            glyphs.push_back({std::move(*group), numbers.what});
    return glyphs;
}

std::string about(const Glyph& glyph)
{
    const std::string& device = glyph.group.shipped;
    return fmt::format("{}{}. {}", glyph.what, device.empty() ? "" : fmt::format(" · {}, shipped", device),
                       explained(glyph.group.origin, glyph.group.device));
}

// Returns the compute capability if it differs from the one on which the rules were checked. Returns 0 if it does not,
// or if it is unknown.
uint32_t unchecked_capability(const Snapshot& snapshot)
{
    const recording::Recording* recording = snapshot.columns.front().recording.get();
    const uint32_t capability = recording != nullptr ? recording->device.compute_capability : 0;
    return capability == checked_capability ? 0 : capability;
}

constexpr float glyph_width = 18;

} // namespace

float origins_width(const Snapshot& snapshot, const State& state)
{
    const std::size_t count = glyphs_of(snapshot, state).size() + (unchecked_capability(snapshot) != 0 ? 1 : 0);
    return state.theme.px(glyph_width) * static_cast<float>(count);
}

void draw_origins(const Snapshot& snapshot, State& state)
{
    const viz::Theme& theme = state.theme;
    const float width = theme.px(glyph_width), height = line_height(theme.text);
    for (const Glyph& glyph : glyphs_of(snapshot, state)) {
        ImGui::SameLine(0, 0);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        viz::draw_origin(*ImGui::GetWindowDrawList(), glyph.group.origin, {at.x + width / 2, at.y + height / 2},
                         theme.px(4), theme.ink_quiet);
        ImGui::Dummy({width, height});
        viz::mark_item(state.marks, fmt::format("origin:{}", viz::name(glyph.group.origin)));
        if (ImGui::IsItemHovered())
            explain_origin(state, about(glyph));
    }
    if (const uint32_t capability = unchecked_capability(snapshot); capability != 0) {
        ImGui::SameLine(0, 0);
        text(theme.warning, " !");
        if (ImGui::IsItemHovered())
            explain_origin(state,
                           fmt::format("The rules of banks and sectors were checked on sm_{}, and this is sm_{}: "
                                       "counters tell whether they hold.",
                                       checked_capability, capability));
    }
}

namespace {

// The button that is offered for the origin of the recordings.
struct Offer {
    const char *label = nullptr, *mark = nullptr; // null: no button
    std::vector<viz::Rich> said;                  // where the recordings are from
    std::optional<std::size_t> back_to;           // stage whose shipped recording the button would show again
    bool possible = true;
};

Offer offer_of(const Snapshot& snapshot)
{
    Offer offer;
    for (const viz::StageColumn& column : snapshot.columns) {
        const ColumnDetails& shown = snapshot.details[column.number];
        if (!shown.shipped || !shown.in_ladder || column.recording == nullptr)
            continue;
        const kernels::Stage& stage = snapshot.ladder()[*shown.in_ladder];
        const std::string why_not = why_not_on(*snapshot.machine(), stage);
        offer.possible = (offer.label != nullptr && offer.possible) || why_not.empty();
        offer.label = offer.mark = "record here";
        offer.said.push_back(
            viz::rich("{}: {}.", stage.slug, viz::how_had(recording::provenance_of(*column.recording, true))));
        if (changed_since(*column.recording, stage))
            offer.said.push_back(viz::rich("The stage's source has changed since."));
        if (!why_not.empty())
            offer.said.push_back(viz::rich("{}", why_not));
    }
    if (offer.label != nullptr)
        return offer;
    for (const ColumnDetails& shown : snapshot.details)
        if (!shown.shipped && shown.in_ladder && snapshot.choice.recorded_here.contains(*shown.in_ladder))
            return {.label = "show shipped",
                    .mark = "show shipped",
                    .said = {viz::rich("{}: recorded on this CPU; show the recording that was made on a GPU.",
                                       snapshot.ladder()[*shown.in_ladder].slug)},
                    .back_to = shown.in_ladder};
    return offer;
}

} // namespace

float shipped_width(const Snapshot& snapshot, const State& state)
{
    const Offer offer = offer_of(snapshot);
    return offer.label == nullptr ? 0 : ImGui::CalcTextSize(offer.label).x + state.theme.px(20);
}

void draw_shipped(const Snapshot& snapshot, Session& session, State& state)
{
    const Offer offer = offer_of(snapshot);
    if (offer.label == nullptr)
        return;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {state.theme.px(5), state.theme.px(1)});
    if (!offer.possible)
        ImGui::PushStyleColor(ImGuiCol_Text, state.theme.ink_faint);
    const bool pressed = ImGui::Button(offer.label) && offer.possible;
    if (!offer.possible)
        ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (offer.possible)
        viz::mark_item(state.marks, offer.mark);
    if (ImGui::IsItemHovered()) {
        std::vector<viz::Rich> said = offer.said;
        if (!offer.back_to && offer.possible)
            said.push_back(viz::rich("Click or press r to record on this CPU instead."));
        state.hint = viz::plain(viz::joined(std::move(said)));
    }
    if (!pressed)
        return;
    if (offer.back_to)
        state.change([&](Choice& choice) { choice.recorded_here.erase(*offer.back_to); });
    else
        session.record_again();
}

} // namespace app
