#include "app/panels/header/shipped.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace app {

namespace {

struct Shown {
    const viz::Subject* subject;
    std::optional<std::size_t> stage;
    bool shipped;
};

std::vector<Shown> all_shown(const Session& session)
{
    std::vector<Shown> all = {{&session.first(), session.first_stage(), session.shows_shipped(Slot::first)}};
    if (session.second() != nullptr)
        all.push_back({session.second(), session.second_stage(), session.shows_shipped(Slot::second)});
    return all;
}

// What can be done about where the recordings come from.
struct Offer {
    const char *label = nullptr, *mark = nullptr; // null: nothing
    std::string words;                            // where they are from
    std::optional<std::size_t> back_to;           // the stage whose shipped recording would be shown again
    bool possible = true;
};

Offer offer_of(const Session& session)
{
    Offer offer;
    for (const Shown& shown : all_shown(session)) {
        if (!shown.shipped || !shown.stage || shown.subject->recording == nullptr)
            continue;
        const kernels::Stage& stage = session.ladder()[*shown.stage];
        const std::string why_not = why_not_on(*session.machine(), stage);
        offer.possible = (offer.label != nullptr && offer.possible) || why_not.empty();
        offer.label = offer.mark = "record here";
        offer.words +=
            fmt::format("{}{}: {}.{}{}", offer.words.empty() ? "" : " ", stage.slug,
                        shipped_words(*shown.subject->recording, stage), why_not.empty() ? "" : " ", why_not);
    }
    if (offer.label != nullptr)
        return offer;
    for (const Shown& shown : all_shown(session))
        if (!shown.shipped && shown.stage && session.recorded_instead(*shown.stage))
            return {.label = "show shipped",
                    .mark = "show shipped",
                    .words = fmt::format("{}: recorded on this CPU; show the recording that was made on a GPU.",
                                         session.ladder()[*shown.stage].slug),
                    .back_to = shown.stage};
    return offer;
}

} // namespace

float shipped_width(const Session& session, const State& state)
{
    const Offer offer = offer_of(session);
    return offer.label == nullptr ? 0 : ImGui::CalcTextSize(offer.label).x + state.theme.px(20);
}

void draw_shipped(Session& session, State& state)
{
    const Offer offer = offer_of(session);
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
    if (ImGui::IsItemHovered())
        state.hint =
            offer.words + (offer.back_to || !offer.possible ? "" : " Click or press r to record on this CPU instead.");
    if (!pressed)
        return;
    if (offer.back_to)
        session.show_shipped(*offer.back_to);
    else
        session.record_again();
}

} // namespace app
