#include "app/panels/panels.h"

#include "app/panels/widgets.h"
#include "app/state/learning.h"

#include "viz/draw/prose.h"
#include "viz/text/rich.h"

#include <algorithm>

namespace app {

namespace {

std::string title_of(const std::string& course)
{
    return course == "threads_to_tiles" ? "From a thread to shared tiles"
           : course == "conflicts"      ? "Bank conflicts and swizzles"
           : course == "pipelines"      ? "Pipelines and tensor cores"
                                        : course;
}

// Draws a lesson's title, and at the right its level and time if there is room. It is clickable over the width of its
// column.
bool draw_row(const viz::Theme& theme, const Lesson& lesson)
{
    const std::string &title = lesson.title, effort = effort_words(lesson);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton(
        "row", {std::max(ImGui::GetContentRegionAvail().x, theme.px(40)), line_height(theme.text) + theme.px(4)});
    if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImGui::GetItemRectMax(), with_alpha(theme.accent(), 0.15f),
                                                  theme.px(3));
    draw_text_within(theme.text, {at.x + theme.px(4), at.y + theme.px(2)}, ImGui::GetItemRectSize().x - theme.px(28),
                     theme.ink, title);
    const float effort_width = text_width(theme.text, effort) + theme.px(4);
    if (text_width(theme.text, title) + effort_width + theme.px(44) < ImGui::GetItemRectSize().x)
        draw_text_within(theme.text, {ImGui::GetItemRectMax().x - effort_width, at.y + theme.px(2)}, effort_width,
                         theme.ink_faint, effort);
    return pressed;
}

void draw_courses(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    for (const Course& course : shipped_lessons().courses()) {
        ImGui::TableNextColumn();
        viz::Prose(theme).heading(title_of(course.slug)).draw(ImGui::GetContentRegionAvail().x);
        for (const Lesson* lesson : course.lessons) {
            ImGui::PushID(lesson->slug.c_str());
            const bool known = std::ranges::all_of(lesson->covers, [&](const std::string& slug) {
                return state.learning.progress.of(slug) == Mastery::known;
            });
            if (draw_row(theme, *lesson))
                open_lesson(session, state, *lesson);
            if (ImGui::IsItemHovered())
                state.hint = effort_words(*lesson);
            viz::mark_item(state.marks, "library:" + course.slug + ":" + lesson->slug);
            const bool answered = known && !lesson->covers.empty();
            if (answered || state.learning.progress.has_read(lesson->slug)) {
                const ImVec2 min = ImGui::GetItemRectMin();
                const float height = ImGui::GetItemRectMax().y - min.y;
                draw_check({min.x + text_width(theme.text, lesson->title) + theme.px(10), min.y + theme.px(3)},
                           height - theme.px(6), answered ? theme.good : theme.ink_faint);
            }
            ImGui::PopID();
        }
        ImGui::PushID(course.slug.c_str());
        if (button(state, "Ten questions", "library:quiz:" + course.slug))
            start_quiz(state, title_of(course.slug),
                       {.concepts = shipped_lessons().concepts_of(course.slug), .seed = 0});
        ImGui::PopID();
    }
}

// Draws all concepts, colored by the user's answers. A click opens the lesson.
void draw_concepts(Session& session, State& state)
{
    const viz::Theme& theme = state.theme;
    const float width = theme.px(168), height = line_height(theme.text) + theme.px(8);
    const float all = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>((all + theme.px(4)) / (width + theme.px(4))));
    int place = 0;
    for (const Concept& row : all_concepts()) {
        if (place++ % columns != 0)
            ImGui::SameLine(0, theme.px(4));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(row.slug.c_str());
        const bool pressed = ImGui::InvisibleButton("concept", {width, height});
        viz::mark_item(state.marks, "concept:" + row.slug);
        ImGui::PopID();
        const Mastery mastery = state.learning.progress.of(row.slug);
        ImDrawList* list = ImGui::GetWindowDrawList();
        const viz::Colour colour = mastery == Mastery::known   ? theme.good
                                   : mastery == Mastery::begun ? theme.warning
                                                               : theme.border;
        list->AddRectFilled(at, {at.x + width, at.y + height},
                            with_alpha(colour, mastery == Mastery::untouched ? 0.35f : 0.3f), theme.px(3));
        list->AddRectFilled(at, {at.x + theme.px(3), at.y + height}, colour);
        draw_text_within(theme.text, {at.x + theme.px(9), at.y + theme.px(4)}, width - theme.px(14),
                         mastery == Mastery::untouched ? theme.ink_quiet : theme.ink, row.name);
        if (ImGui::IsItemHovered()) {
            state.hint = row.question;
            tooltip(theme, row.question);
        }
        const Lesson* lesson = shipped_lessons().of_concept(row.slug);
        if (pressed && lesson != nullptr)
            open_lesson(session, state, *lesson);
    }
}

} // namespace

void draw_library(Session& session, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    const PageTitle title{.name = "##library", .title = "Learn", .mark = "library:leave"};
    if (begin_page(state, area, title))
        state.open(Page::none);
    if (button(state, "The first page", "library:first"))
        state.open(Page::first);
    ImGui::SameLine();
    if (button(state, "Ten questions about anything", "library:quiz"))
        start_quiz(state, questions_about_anything, {.seed = 0});
    ImGui::Dummy({0, theme.px(6)});
    if (ImGui::BeginTable("courses", area.width > theme.px(620) ? 3 : 1, ImGuiTableFlags_SizingStretchSame)) {
        draw_courses(session, state);
        ImGui::EndTable();
    }
    ImGui::Dummy({0, theme.px(8)});
    viz::Prose(theme)
        .write(
            viz::rich("### What you have answered\n"
                      "Green: the last two answers were right. Amber: begun. Click a concept for its lesson. A lesson "
                      "that was read to its end has a mark. It is kept on this machine only."))
        .draw(ImGui::GetContentRegionAvail().x);
    draw_concepts(session, state);
    end_page();
}

} // namespace app
