#include "app/panels/learn/hidden.h"

#include "viz/draw/draw.h"

namespace app {

bool covers_picture(const State& state)
{
    if (!state.learning.hides())
        return false;
    const QuizQuestion* question = state.learning.quiz->question();
    return question == nullptr || question->covers_picture();
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

void hide_answers(const viz::Marks& marks, std::optional<viz::Rich>& tip, State& state)
{
    const viz::Theme& theme = state.theme;
    ImDrawList* list = ImGui::GetForegroundDrawList();
    for (const viz::Marks::Widget& widget : marks.widgets)
        if (widget.name.starts_with("headline:")) {
            list->AddRectFilled(widget.min, widget.max, theme.background);
            viz::draw::text(list, theme.heading, widget.min, theme.ink_faint, "?");
        }
    tip.reset();
    state.inspector.clear();
    state.hint = hidden_until_answered; // replaces the description of the selection
}

} // namespace app
