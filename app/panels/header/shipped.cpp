#include "app/panels/panels.h"

#include "app/data/recordings.h"
#include "app/panels/widgets.h"

#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace app {

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
