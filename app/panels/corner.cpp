#include "app/panels/corner.h"

#include "app/panels/widgets.h"

namespace app {

namespace {

constexpr float button_side = 17; // pixels at scale 1

// Draws the rows and columns of a table icon.
void draw_grid(ImVec2 min, float size, viz::Colour colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max{min.x + size, min.y + size};
    list.AddRect(min, max, colour);
    for (const float share : {0.34f, 0.67f})
        list.AddLine({min.x, min.y + share * size}, {max.x, min.y + share * size}, colour);
    list.AddLine({min.x + 0.4f * size, min.y}, {min.x + 0.4f * size, max.y}, colour);
}

} // namespace

void draw_table_corner(State& state, std::string_view of, ImVec2 right_top)
{
    const viz::Theme& theme = state.theme;
    const float size = theme.px(button_side);
    const ImVec2 before = ImGui::GetCursorScreenPos(), at{right_top.x - size, right_top.y};
    const std::string name = "tables:" + std::string(of);
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton(name.c_str(), {size, size}))
        ImGui::OpenPopup((name + " menu").c_str());
    viz::mark_item(state.marks, name);
    const bool hovered = ImGui::IsItemHovered();
    tooltip(
        theme,
        "These figures as a table, CSV or JSON, in the current directory. Ctrl+T and Ctrl+Shift+T save what is shown, "
        "Ctrl+L and Ctrl+Shift+L the ladder.");
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size}, theme.panel, theme.px(3));
    draw_grid({at.x + theme.px(3), at.y + theme.px(3)}, size - theme.px(6), hovered ? theme.ink : theme.ink_faint);
    if (ImGui::BeginPopup((name + " menu").c_str())) {
        for (const bool json : {false, true}) {
            if (ImGui::MenuItem(json ? "JSON" : "CSV"))
                state.saves_table = State::TableWish{std::string(of), json};
            viz::mark_item(state.marks, name + (json ? ":json" : ":csv"));
        }
        end_popup(state);
    }
    ImGui::SetCursorScreenPos(before);
}

} // namespace app
