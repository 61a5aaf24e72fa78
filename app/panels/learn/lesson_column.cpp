#include "app/panels/learn/lesson_column.h"

#include "app/learn/lessons.h"
#include "app/panels/classroom.h"
#include "app/panels/learning.h"
#include "app/panels/navigation.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/draw/draw.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/figure.h"
#include "viz/text/rich.h"

#include "stage.h"

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
    viz::RichText(theme).strong("Look at").draw(ImGui::GetContentRegionAvail().x);
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
    say(theme, viz::rich("{}", snapshot.columns.front().idea));
    draw_items(snapshot, session, state);
    for (std::size_t i = 1; i < paragraphs_.size(); ++i) { // the first paragraph repeats the idea
        viz::RichText prose(theme);
        if (!paragraphs_[i].label.empty())
            prose.strong(paragraphs_[i].label + ".").say(" ");
        prose.say(paragraphs_[i].text).draw(ImGui::GetContentRegionAvail().x);
        ImGui::Dummy({0, theme.px(3)});
    }
}

void Card::draw(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_area("##card", area, theme.panel, false);
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

bool covers_picture(const State& state)
{
    const Learning& learning = state.learning;
    if (!learning.hides())
        return false;
    const QuizQuestion* question = learning.open_question();
    return question == nullptr || question->covers_picture() ||
           (learning.asked_of_class() != nullptr && !shows_asked_picture(state, *question));
}

void draw_cover(const State& state)
{
    const viz::Theme& theme = state.theme;
    const ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const ImVec2 max{min.x + room.x, min.y + room.y};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(min, max, theme.panel, theme.px(4));
    const std::string words = "The picture comes with the answer.";
    const ImVec2 size = theme.heading->CalcTextSizeA(theme.heading->FontSize, room.x, 0, words.c_str());
    viz::draw::text(list, theme.heading, {min.x + (room.x - size.x) / 2, min.y + (room.y - size.y) / 2},
                    theme.ink_faint, words);
    viz::mark(state.marks, "quiz:cover", min, max);
}

void hide_answers(std::optional<viz::Rich>& tip, State& state)
{
    tip.reset();
    state.inspector.clear();
    state.hint = hidden_until_answered; // replaces the description of the selection
}

namespace {

void draw_heading(Session& session, State& state, const OpenLesson& open)
{
    if (title_to_close(state, viz::rich("{} · {} of {}", open.lesson->title, open.step + 1, open.lesson->steps.size()),
                       "lesson:close"))
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

void draw_goal(State& state, const OpenLesson& open)
{
    if (open.lesson->steps[open.step].goal == Goal::none)
        return;
    const bool done = open.done.contains(open.step);
    ImGui::Dummy({0, state.theme.px(4)});
    say(state.theme, done ? viz::rich("**Done.**") : viz::rich("*Your turn.*"));
}

// Draws a button that ends the lesson, where the lesson shows another kernel than the user had before it.
void draw_way_out(Session& session, State& state)
{
    const auto& before = state.learning.before;
    if (!before)
        return;
    const auto &had = before->choice.columns[0], &shown = state.at.choice.columns[0];
    if (!had.rung || (had.rung == shown.rung && had.file == shown.file))
        return;
    if (quiet_button(state, fmt::format("Leave, back to {}", session.snapshot()->ladder()[*had.rung].slug),
                     "lesson:leave"))
        leave_lesson(session, state);
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
    viz::RichText(theme).heading(step.title).draw(width);
    ImGui::Dummy({0, theme.px(4)});
    viz::RichText prose(theme);
    if (const std::vector<viz::Run>* words = state.learning.quiz_worker->words(step))
        prose.write(*words);
    else
        prose.say("Computing the figures of this step from its recording ...");
    prose.explain_terms().draw(width);
    draw_goal(state, open);
    ImGui::Dummy({0, theme.px(8)});
    draw_way_back(session, state, open);
    if (state.learning.lesson)
        draw_moves(session, state);
    if (state.learning.lesson)
        draw_way_out(session, state);
}

} // namespace

void draw_lesson_column(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    viz::mark(state.marks, "column", {area.x, area.y}, {area.right(), area.bottom()});
    begin_area("##learn", area, theme.panel, false);
    ImGui::SetCursorScreenPos({area.x, area.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(12), theme.px(10)});
    ImGui::BeginChild("column", {area.width, area.height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    if (state.learning.asked_of_class() != nullptr)
        draw_class_question(session, state);
    else if (state.learning.quiz)
        draw_quiz(session, state);
    else if (state.learning.lesson)
        draw_lesson(session, state);
    ImGui::EndChild();
    ImGui::End();
}

viz::Rich outcome_words(const QuizQuestion& question, std::optional<std::size_t> chosen)
{
    viz::Rich why = viz::rich(question.choices[question.answer].explains);
    if (!chosen)
        return why;
    if (*chosen == question.answer)
        return viz::rich("**Right.** {}", why);
    if (*chosen >= question.choices.size())
        return viz::rich("**Not there.** {}", why);
    const viz::Rich explains = viz::rich(question.choices[*chosen].explains);
    if (viz::plain(explains) != viz::plain(why))
        return viz::rich("**Not so.** {}\n{}", explains, why);
    return viz::rich("**Not so.** {}", why);
}

bool draw_choice(State& state, const ChoiceBox& choice)
{
    const viz::Theme& theme = state.theme;
    viz::RichText words(theme);
    words.write(choice.label);
    const std::string count = choice.count ? std::to_string(*choice.count) : "";
    const float pad = theme.px(choice.padding), left = theme.px(24), width = ImGui::GetContentRegionAvail().x,
                right = theme.px(8) + (choice.count                    ? theme.px(38)
                                       : choice.right || choice.chosen ? theme.px(16)
                                                                       : 0),
                height = words.height(width - left - right) + 2 * pad;
    const ImVec2 at = ImGui::GetCursorScreenPos(), end{at.x + width, at.y + height};
    ImGui::PushID(static_cast<int>(choice.index));
    const bool pressed = ImGui::InvisibleButton("choice", {width, height}) && choice.open;
    viz::mark_item(state.marks, "choice:" + std::to_string(choice.index));
    const bool hovered = ImGui::IsItemHovered() && choice.open;
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, end, hovered || choice.chosen ? with_alpha(theme.accent(), 0.15f) : theme.background,
                        theme.px(4));
    if (choice.count) {
        const float share =
            static_cast<float>(*choice.count) / static_cast<float>(std::max<std::size_t>(*choice.of, 1));
        const ImVec2 bar{at.x + share * width, end.y};
        if (share > 0) // a bar of width 0 would still show its rounded corners
            list->AddRectFilled(at, bar, with_alpha(theme.accent(), 0.35f), theme.px(4));
        viz::mark(state.marks, fmt::format("bar:{}:{}", choice.index, count), at, bar);
    }
    const viz::Colour colour = choice.right               ? theme.good
                               : choice.wrong             ? theme.warning
                               : hovered || choice.chosen ? theme.accent()
                                                          : theme.border;
    list->AddRect(at, end, colour, theme.px(4), 0, choice.right || choice.wrong || choice.chosen ? theme.px(2) : 1);
    if (choice.right || choice.wrong) // a sign too, because some users cannot tell the colours apart
        draw_check_or_cross(theme, {at.x + theme.px(6), at.y + pad}, choice.right);
    else
        draw_text_within(theme.text, {at.x + theme.px(6), at.y + pad}, left - theme.px(6), theme.ink_faint,
                         std::to_string(choice.index + 1));
    words.draw(list, {at.x + left, at.y + pad}, width - left - right);
    if (choice.count)
        draw_text_right(theme.text, {end.x - theme.px(8), at.y + pad}, theme.ink, count);
    return pressed;
}

namespace {

std::string name_of_concept(const std::string& slug)
{
    const Concept* found = find_concept(slug);
    return found == nullptr ? slug : found->name;
}

void draw_outcome(Session& session, State& state)
{
    const OpenQuiz& quiz = *state.learning.quiz;
    const QuizQuestion& question = *quiz.question();
    ImGui::Dummy({0, state.theme.px(4)});
    say(state.theme, outcome_words(question, quiz.chosen));
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
    say(state.theme, viz::rich(question.ask));
    ImGui::Dummy({0, state.theme.px(6)});
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        if (draw_choice(state, {.label = question.choices[i].label,
                                .index = i,
                                .open = !quiz.chosen,
                                .right = quiz.chosen && i == question.answer,
                                .wrong = quiz.chosen == i && i != question.answer}))
            return answer(session, state, i);
    if (quiz.chosen)
        draw_outcome(session, state);
    else
        draw_ask_class(state);
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
    const QuizQuestion* const question = quiz.question();
    const viz::Rich title = question == nullptr ? viz::rich("### {}", quiz.title)
                                                : viz::rich("Question {} of {} · {}", quiz.at + 1,
                                                            quiz.questions.size(), name_of_concept(question->topic));
    if (title_to_close(state, title, "quiz:close"))
        return close_quiz(session, state);
    ImGui::Dummy({0, theme.px(6)});
    if (!quiz.failure.empty()) {
        say(theme, viz::rich("{}", quiz.failure));
    } else if (quiz.questions.empty()) {
        say(theme, viz::rich("Making questions from recordings ..."));
    } else if (quiz.over()) {
        say(theme, leads_class(state) ? viz::rich("That was the last question.") // the class answered
                                      : viz::rich("{} of {} right.", quiz.right, quiz.questions.size()));
        draw_end(session, state);
    } else {
        draw_question(session, state);
    }
}

} // namespace app
