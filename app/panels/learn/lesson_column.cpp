#include "app/panels/panels.h"

#include "app/panels/widgets.h"
#include "app/state/learning.h"
#include "app/state/navigation.h"

#include "viz/draw/draw.h"
#include "viz/draw/prose.h"
#include "viz/figure/figure.h"
#include "viz/text/rich.h"

namespace app {

namespace {

void draw_heading(Session& session, State& state, const OpenLesson& open)
{
    const viz::Theme& theme = state.theme;
    const float right = ImGui::GetContentRegionMax().x;
    viz::Prose(theme)
        .write(viz::rich("{} · {} of {}", open.lesson->title, open.step + 1, open.lesson->steps.size()))
        .draw(right - theme.px(40));
    ImGui::SameLine(right - theme.px(22));
    if (quiet_button(state, "×", "lesson:close"))
        close_lesson(session, state);
}

// Draws a bar for each step of the lesson.
void draw_bars(State& state, const OpenLesson& open)
{
    const viz::Theme& theme = state.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const auto count = static_cast<float>(open.lesson->steps.size());
    const float each = (width - theme.px(3) * (count - 1)) / count;
    viz::ShapeLayer bars;
    for (std::size_t i = 0; i < open.lesson->steps.size(); ++i) {
        const float x = at.x + static_cast<float>(i) * (each + theme.px(3));
        bars.shapes.push_back(viz::box_shape({{x, at.y}, {x + each, at.y + theme.px(3)}},
                                             i <= open.step ? theme.accent() : theme.border));
    }
    draw_still(state, {.id = "steps", .box = {at, {at.x + width, at.y + theme.px(3)}}, .layers = {std::move(bars)}});
    ImGui::Dummy({0, theme.px(8)});
}

void draw_deed(State& state, const OpenLesson& open)
{
    if (open.lesson->steps[open.step].goal == Goal::none)
        return;
    const bool done = open.done.contains(open.step);
    ImGui::Dummy({0, state.theme.px(4)});
    viz::Prose(state.theme)
        .write(done ? viz::rich("**Done.**") : viz::rich("*Your turn.*"))
        .draw(ImGui::GetContentRegionAvail().x);
}

// Draws a button that returns from the user's changes to the lesson, or from the lesson to these changes. The changes
// are kept meanwhile.
void draw_way_back(Session& session, State& state, OpenLesson& open)
{
    if (!is_where_it_arrived(state)) {
        if (button(state, "Back to the lesson", "lesson:return")) {
            const Workspace mine = current_workspace(state);
            show_lesson_step(session, state, open.step);
            open.mine = mine;
        }
    } else if (open.mine) {
        if (button(state, "What I had", "lesson:mine"))
            navigate(session, state, *std::exchange(open.mine, std::nullopt));
    }
}

void draw_moves(Session& session, State& state)
{
    OpenLesson& open = *state.learning.lesson;
    const Lesson& lesson = *open.lesson;
    if (open.step > 0) {
        if (button(state, "Back", "lesson:back"))
            return show_lesson_step(session, state, open.step - 1);
        ImGui::SameLine();
    }
    if (open.step + 1 < lesson.steps.size()) {
        if (button(state, "Next (n)", "lesson:next"))
            show_lesson_step(session, state, open.step + 1);
        return;
    }
    if (!lesson.covers.empty()) {
        if (button(state, "Try it", "lesson:quiz"))
            return start_quiz(state, lesson.title, {.concepts = lesson.covers, .count = 3, .seed = 0});
        ImGui::SameLine();
    }
    if (const Lesson* after = shipped_lessons().after(lesson)) {
        if (button(state, "Next lesson (n)", "lesson:after"))
            return open_lesson(session, state, *after);
        viz::draw::flow(viz::draw::button_width("Done")); // on a new row if it does not fit
    }
    if (button(state, "Done", "lesson:done")) {
        const bool in_no_course =
            lesson.courses.empty() && !lesson.next.empty(); // the tour: the page of lessons is next
        close_lesson(session, state);
        if (in_no_course)
            state.open(Page::learn);
    }
}

void draw_lesson(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    OpenLesson& open = *state.learning.lesson;
    const LessonStep& step = open.lesson->steps[open.step];
    draw_heading(session, state, open);
    if (!state.learning.lesson)
        return;
    draw_bars(state, open);
    const float width = ImGui::GetContentRegionAvail().x;
    viz::Prose(theme).heading(step.title).draw(width);
    ImGui::Dummy({0, theme.px(4)});
    viz::Prose prose(theme);
    if (const std::vector<viz::Run>* words = state.learning.tutor->words(step))
        prose.write(*words);
    else
        prose.say("Computing the figures of this step from its recording ...");
    prose.explain_terms().draw(width);
    draw_deed(state, open);
    ImGui::Dummy({0, theme.px(8)});
    draw_way_back(session, state, open);
    if (state.learning.lesson)
        draw_moves(session, state);
}

} // namespace

void draw_lesson_column(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    viz::mark(state.marks, "column", {area.x, area.y}, {area.right(), area.bottom()});
    begin_place("##learn", area, theme.panel, false);
    ImGui::SetCursorScreenPos({area.x, area.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(12), theme.px(10)});
    ImGui::BeginChild("column", {area.width, area.height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    if (state.learning.quiz)
        draw_quiz(session, state);
    else if (state.learning.lesson)
        draw_lesson(session, state);
    ImGui::EndChild();
    ImGui::End();
}

} // namespace app
