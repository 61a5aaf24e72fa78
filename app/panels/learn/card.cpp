#include "app/panels/learn/card.h"

#include "app/panels/widgets.h"
#include "app/state/learning.h"
#include "app/state/navigation.h"

#include "stage.h"
#include "viz/draw/prose.h"

namespace app {

namespace {

// Shortens words that are too wide with an ellipsis.
std::string shortened_to(const viz::Theme& theme, std::string words, float room)
{
    if (text_width(theme.text, words) <= room)
        return words;
    while (words.size() > 1 && text_width(theme.text, words + "…") > room)
        words.pop_back();
    return words + "…";
}

} // namespace

bool Card::has_words(const Snapshot& snapshot)
{
    return snapshot.leading_rung().has_value() || shipped_lessons().find(snapshot.columns.front().slug) != nullptr;
}

// Draws the titles of the steps of the stage's lesson.
void Card::draw_items(const Snapshot& snapshot, Session& session, State& state) const
{
    const viz::Theme& theme = state.theme;
    const Lesson* lesson = shipped_lessons().find(snapshot.columns.front().slug);
    if (lesson == nullptr)
        return;
    viz::Prose(theme).strong("Look at").draw(ImGui::GetContentRegionAvail().x);
    for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
        const LessonStep& step = lesson->steps[i];
        if (!step.place)
            continue;
        ImGui::PushID(static_cast<int>(i));
        if (quiet_button(state, "» " + step.title, {}))
            navigate(session, state, *step.place);
        viz::mark_shown_item(state.marks, "card:" + std::to_string(i));
        hint(state, "Shows it in the view " + step.place->view + ".");
        ImGui::PopID();
    }
}

void Card::draw_words(const Snapshot& snapshot, Session& session, State& state) const
{
    const viz::Theme& theme = state.theme;
    viz::Prose(theme).say(snapshot.columns.front().idea).draw(ImGui::GetContentRegionAvail().x);
    draw_items(snapshot, session, state);
    for (std::size_t i = 1; i < paragraphs_.size(); ++i) { // the first paragraph repeats the idea
        viz::Prose prose(theme);
        if (!paragraphs_[i].label.empty())
            prose.strong(paragraphs_[i].label + ".").say(" ");
        prose.say(paragraphs_[i].text).draw(ImGui::GetContentRegionAvail().x);
        ImGui::Dummy({0, theme.px(3)});
    }
}

void Card::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_place("##card", area, theme.panel, false);
    const std::string& slug = snapshot.columns.front().slug;
    const bool open = state.at.panels.card;
    ImGui::SetCursorScreenPos({area.x + theme.px(6), area.y + theme.px(3)});
    const Lesson* lesson = shipped_lessons().find(slug);
    const char* label = "lesson";
    const float lesson_at = area.right() - text_width(theme.text, label) - theme.px(26);
    const float room = (lesson == nullptr ? area.right() : lesson_at) - area.x - theme.px(22);
    if (quiet_button(state, shortened_to(theme, std::string(open ? "- " : "+ ") + slug, room), "card"))
        state.at.panels.card = !open;
    hint(state, "What this stage is about: the comment at the top of its source. Click to fold it.");
    if (lesson != nullptr) {
        ImGui::SameLine();
        ImGui::SetCursorScreenPos({lesson_at, area.y + theme.px(3)});
        if (quiet_button(state, label, "card:lesson"))
            open_lesson(session, state, *lesson);
    }
    if (open && snapshot.columns.front().recording != nullptr) {
        // Uses the current text of the stage's file, which may describe timings newer than the recording.
        const auto stage = snapshot.leading_rung();
        const std::string_view source =
            stage ? kernels::source_text(snapshot.ladder()[*stage], snapshot.ladder()[*stage].file)
                  : std::string_view(snapshot.columns.front().recording->sources.front().text);
        if (source != of_)
            of_ = source, paragraphs_ = leading_comment(source);
        const float top = line_height(theme.text) + theme.px(12);
        ImGui::SetCursorScreenPos({area.x, area.y + top});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(2)});
        const bool shows = ImGui::BeginChild("text", {area.width, std::max(area.height - top - 1, 1.0f)}, false,
                                             ImGuiWindowFlags_AlwaysUseWindowPadding);
        ImGui::PopStyleVar();
        if (shows) // a window that was just made small may have no room for one frame
            draw_words(snapshot, session, state);
        ImGui::EndChild();
    }
    draw_rule(theme, area, area.bottom() - 1);
    ImGui::End();
}

} // namespace app
