#include "app/panels/header/shipped.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace app {

namespace {

// Beside the words before it, or below them where there is no room.
bool button(State& state, const char* label, const char* mark, const char* help)
{
    const float width = ImGui::CalcTextSize(label).x + state.theme.px(12);
    ImGui::SameLine(0, state.theme.px(10));
    if (ImGui::GetContentRegionAvail().x < width)
        ImGui::NewLine();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {state.theme.px(5), state.theme.px(1)});
    const bool pressed = ImGui::Button(label);
    ImGui::PopStyleVar();
    viz::mark_item(state.marks, mark);
    if (ImGui::IsItemHovered())
        state.hint = help;
    return pressed;
}

struct Shown {
    const viz::Subject* subject;
    std::optional<std::size_t> stage;
    bool shipped;
};

} // namespace

void draw_shipped(Session& session, State& state)
{
    std::vector<Shown> all = {{&session.first(), session.first_stage(), session.shows_shipped(Slot::first)}};
    if (session.second() != nullptr)
        all.push_back({session.second(), session.second_stage(), session.shows_shipped(Slot::second)});
    bool can_record = false;
    for (const Shown& shown : all) {
        if (!shown.shipped || !shown.stage || shown.subject->recording == nullptr)
            continue;
        const kernels::Stage& stage = session.ladder()[*shown.stage];
        const std::string why_not = why_not_on(*session.machine(), stage);
        can_record |= why_not.empty();
        std::string words = shipped_words(*shown.subject->recording, stage);
        if (all.size() > 1)
            words = fmt::format("{}: {}", stage.slug, words);
        else
            words.front() = 'R';
        text_wrapped(state.theme.ink, fmt::format("{}.{}{}", words, why_not.empty() ? "" : " ", why_not));
    }
    if (can_record && button(state, "record here", "record here", "Record on this CPU instead · r"))
        return session.record_again();
    for (const Shown& shown : all) {
        if (shown.shipped || !shown.stage || !session.recorded_instead(*shown.stage))
            continue;
        text(state.theme.ink_quiet, fmt::format("{}: recorded on this CPU.", session.ladder()[*shown.stage].slug));
        if (button(state, "show the shipped recording", "show shipped", "Show the recording that was made on a GPU"))
            return session.show_shipped(*shown.stage);
    }
}

} // namespace app
