#include "app/panels/panels.h"

#include "app/learn/lessons.h"
#include "app/panels/widgets.h"
#include "app/state/learning.h"
#include "app/state/navigation.h"

#include "viz/draw/prose.h"
#include "viz/text/rich.h"

namespace app {

namespace {

float room()
{
    return ImGui::GetContentRegionAvail().x;
}

std::string name_of(const std::string& slug)
{
    const Concept* found = find_concept(slug);
    return found == nullptr ? slug : found->name;
}

// Draws a choice as a box as wide as the column: the key that chooses it, and wrapped words.
bool draw_choice(State& state, const OpenQuiz& quiz, std::size_t index)
{
    const viz::Theme& theme = state.theme;
    const QuizQuestion& question = *quiz.question();
    viz::Prose words(theme);
    words.write(question.choices[index].label);
    const float pad = theme.px(6), left = theme.px(24), width = room(),
                height = words.height(width - left - pad) + 2 * pad;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(index));
    const bool pressed = ImGui::InvisibleButton("choice", {width, height}) && !quiz.chosen;
    viz::mark_item(state.marks, "choice:" + std::to_string(index));
    const bool hovered = ImGui::IsItemHovered() && !quiz.chosen;
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + width, at.y + height};
    const bool right = index == question.answer;
    const viz::Colour colour = !quiz.chosen            ? hovered ? theme.accent() : theme.border
                               : right                 ? theme.good
                               : *quiz.chosen == index ? theme.warning
                                                       : theme.border;
    list->AddRectFilled(at, end, hovered ? with_alpha(theme.accent(), 0.15f) : theme.background, theme.px(4));
    list->AddRect(at, end, colour, theme.px(4), 0, quiz.chosen && (right || *quiz.chosen == index) ? theme.px(2) : 1);
    draw_text_within(theme.text, {at.x + pad, at.y + pad}, left - pad, theme.ink_faint, std::to_string(index + 1));
    words.draw(list, {at.x + left, at.y + pad}, width - left - pad);
    return pressed;
}

void draw_outcome(Session& session, State& state)
{
    const OpenQuiz& quiz = *state.learning.quiz;
    const QuizQuestion& question = *quiz.question();
    const AnswerChoice& right = question.choices[question.answer];
    ImGui::Dummy({0, state.theme.px(4)});
    const AnswerChoice* const chosen =
        *quiz.chosen < question.choices.size() ? &question.choices[*quiz.chosen] : nullptr;
    const viz::Rich why = viz::rich(right.explains);
    viz::Prose prose(state.theme);
    if (*quiz.chosen == question.answer)
        prose.write(viz::rich("**Right.** {}", why));
    else if (chosen == nullptr)
        prose.write(viz::rich("**Not there.** {}", why));
    else if (const viz::Rich explains = viz::rich(chosen->explains); viz::plain(explains) != viz::plain(why))
        prose.write(viz::rich("**Not so.** {}\n{}", explains, why));
    else
        prose.write(viz::rich("**Not so.** {}", why));
    prose.draw(room());
    ImGui::Dummy({0, state.theme.px(4)});
    if (button(state, "Again", "quiz:again"))
        navigate(session, state, question.shown, {.plays = true});
    ImGui::SameLine();
    if (button(state, "Next (n)", "quiz:next"))
        next_question(session, state);
}

void draw_question(Session& session, State& state)
{
    const OpenQuiz& quiz = *state.learning.quiz;
    const QuizQuestion& question = *quiz.question();
    viz::Prose(state.theme).write(question.ask).draw(room());
    ImGui::Dummy({0, state.theme.px(6)});
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        if (draw_choice(state, quiz, i))
            return answer(session, state, i);
    if (quiz.chosen)
        draw_outcome(session, state);
}

void draw_end(Session& session, State& state)
{
    if (const Lesson* after = lesson_after_quiz(state)) {
        const bool next = button(state, "Next lesson (n)", "quiz:lesson");
        if (next)
            return open_lesson(session, state, *after);
        ImGui::SameLine();
    }
    if (ImGui::Button("Concepts")) {
        close_quiz(session, state);
        state.open(Page::learn);
        return;
    }
    ImGui::SameLine();
    if (ImGui::Button("Done"))
        close_quiz(session, state);
}

} // namespace

void draw_quiz(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    OpenQuiz& quiz = *state.learning.quiz;
    const float right = ImGui::GetContentRegionMax().x;
    viz::Prose title(theme);
    if (const QuizQuestion* question = quiz.question())
        title.write(viz::rich("Question {} of {} · {}", quiz.at + 1, quiz.questions.size(), name_of(question->topic)));
    else
        title.heading(quiz.title);
    title.draw(right - theme.px(40));
    ImGui::SameLine(right - theme.px(22));
    if (quiet_button(state, "×", "quiz:close"))
        return close_quiz(session, state);
    ImGui::Dummy({0, theme.px(6)});
    if (!quiz.failure.empty()) {
        viz::Prose(theme).say(quiz.failure).draw(room());
    } else if (quiz.questions.empty()) {
        viz::Prose(theme).say("Making questions from recordings ...").draw(room());
    } else if (quiz.over()) {
        viz::Prose(theme).write(viz::rich("{} of {} right.", quiz.right, quiz.questions.size())).draw(room());
        draw_end(session, state);
    } else {
        draw_question(session, state);
    }
}

} // namespace app
