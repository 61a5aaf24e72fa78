// Draws the parts that only a window of a class has: the bar, the question, and the leader's buttons.
#include "app/panels/classroom.h"

#include "app/panels/learn/lesson_column.h"
#include "app/panels/learning.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/draw/rich_text.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

std::string class_bar_words(const State& state)
{
    const Classroom& classroom = state.learning.classroom;
    if (!classroom.seat)
        return {};
    const Lecture& lecture = classroom.seat->lecture();
    if (classroom.seat->leads())
        return keeps_question_back(state) ? "The class does not see this question yet."
               : classroom.shows_file     ? "The class does not see your own file."
                                          : "";
    if (!classroom.follows)
        return "You have left what the leader shows.";
    if (!lecture.led())
        return lecture.place() ? "The leader is away. This was shown last." : "The leader is not here yet.";
    return {};
}

} // namespace

bool needs_class_bar(const State& state)
{
    return !class_bar_words(state).empty();
}

void draw_class_bar(State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_area("##class", area, theme.panel, false);
    const char* label = keeps_question_back(state)                                  ? "Ask the class (Enter)"
                        : follows_class(state) && !state.learning.classroom.follows ? "Follow (Enter)"
                                                                                    : nullptr;
    const bool narrow = is_narrow(area.width, theme.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(8), theme.px(narrow ? 9 : 3)}); // sized for fingers
    const float middle = area.y + area.height / 2, height = ImGui::GetFrameHeight();
    const float buttons = label == nullptr ? 0 : viz::draw::button_width(label) + theme.px(12);
    draw_text_within(theme.text, {area.x + theme.px(10), middle - line_height(theme.text) / 2},
                     area.width - buttons - theme.px(22), theme.ink, class_bar_words(state));
    viz::mark(state.marks, "class:bar", {area.x, area.y}, {area.right(), area.bottom()});
    if (label != nullptr) {
        ImGui::SetCursorScreenPos({area.right() - buttons, middle - height / 2});
        if (button(state, label, "class:continue"))
            follows_class(state) ? return_to_leader(state) : ask_class(state);
    }
    ImGui::PopStyleVar();
    draw_rule(theme, area, area.bottom() - 1);
    ImGui::End();
}

std::string class_label(const State& state)
{
    return leads_class(state) ? fmt::format("class: {}", state.learning.classroom.seat->lecture().followers()) : "";
}

void draw_ask_class(State& state)
{
    if (!leads_class(state))
        return;
    ImGui::Dummy({0, state.theme.px(6)});
    if (button(state, "Ask the class (Enter)", "class:ask"))
        ask_class(state);
    hint(state, "Everyone sees this question and answers it; you see how many chose what.");
}

namespace {

void draw_class_title(Session& session, State& state, const AskedQuestion& asked)
{
    const Concept* found = find_concept(asked.question.topic);
    const viz::Rich title =
        viz::rich("Question to the class · {}", found == nullptr ? asked.question.topic : found->name);
    if (title_to_close(state, title, leads_class(state) ? "class:close" : ""))
        end_class_question(session, state);
    ImGui::Dummy({0, state.theme.px(6)});
}

// Draws the choices. Bars show how many of the class chose each of them. A follower sees the bars only with the answer,
// because before it they would be a hint.
void draw_class_choices(State& state, const AskedQuestion& asked)
{
    Seat& seat = *state.learning.classroom.seat;
    const QuizQuestion& question = asked.question;
    const std::vector<std::size_t> answers = seat.lecture().answers();
    const std::size_t all = seat.lecture().answered();
    const std::optional<std::size_t> mine = seat.answered();
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        ChoiceBox box{.label = question.choices[i].label, .index = i, .open = !seat.leads() && !asked.revealed};
        box.right = asked.revealed && i == question.answer;
        box.wrong = asked.revealed && mine == i && i != question.answer;
        box.chosen = !asked.revealed && mine == i;
        if (seat.leads() || asked.revealed)
            box.count = answers[i], box.of = all;
        if (!seat.leads())
            box.padding = 11; // sized for fingers
        if (draw_choice(state, box))
            seat.answer(i);
    }
    ImGui::Dummy({0, state.theme.px(4)});
}

void draw_for_leader(Session& session, State& state, const AskedQuestion& asked)
{
    const Lecture& lecture = state.learning.classroom.seat->lecture();
    say(state.theme,
        viz::rich("**{}** of {} answered.", lecture.answered(), std::max(lecture.followers(), lecture.answered())));
    if (asked.revealed)
        say(state.theme, outcome_words(asked.question, std::nullopt));
    ImGui::Dummy({0, state.theme.px(4)});
    if (!asked.revealed) {
        if (button(state, "Show the answer (Enter)", "class:reveal"))
            continue_class(session, state);
        return;
    }
    if (button(state, "Again", "class:again"))
        play_class_answer(session, state);
    viz::draw::flow(viz::draw::button_width("Next (Enter)"));
    if (button(state, "Next (Enter)", "class:next"))
        next_for_class(session, state);
}

void draw_for_follower(const State& state, const AskedQuestion& asked)
{
    const std::optional<std::size_t> mine = state.learning.classroom.seat->answered();
    say(state.theme,
        asked.revealed ? outcome_words(asked.question, mine)
        : mine ? viz::rich("Your answer is **{}**. You may change it until the leader shows the right one.", *mine + 1)
               : viz::rich("Choose an answer. Nobody sees whose it is."));
}

} // namespace

void draw_class_question(Session& session, State& state)
{
    const AskedQuestion asked = *state.learning.asked_of_class(); // a copy, because the close button ends the question
    draw_class_title(session, state, asked);
    if (state.learning.asked_of_class() == nullptr)
        return;
    say(state.theme, viz::rich(asked.question.ask));
    ImGui::Dummy({0, state.theme.px(6)});
    draw_class_choices(state, asked);
    if (leads_class(state))
        draw_for_leader(session, state, asked);
    else
        draw_for_follower(state, asked);
}

} // namespace app
