#include "app/panels/timeline/icon_button.h"

#include "app/panels/widgets.h"

namespace app {

namespace {

void draw_icon(Icon icon, ImVec2 centre, float size, viz::Colour colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto triangle = [&](float x, float direction) {
        list.AddTriangleFilled({centre.x + x - direction * size / 2, centre.y - size},
                               {centre.x + x - direction * size / 2, centre.y + size},
                               {centre.x + x + direction * size / 2, centre.y}, colour);
    };
    const auto bar = [&](float x) {
        list.AddRectFilled({centre.x + x - size * 0.16f, centre.y - size},
                           {centre.x + x + size * 0.16f, centre.y + size}, colour);
    };
    switch (icon) {
    case Icon::to_start: bar(-size * 0.8f), triangle(size * 0.2f, -1); break;
    case Icon::to_end: bar(size * 0.8f), triangle(-size * 0.2f, 1); break;
    case Icon::phase_back: triangle(-size * 0.5f, -1), triangle(size * 0.5f, -1); break;
    case Icon::phase_forward: triangle(-size * 0.5f, 1), triangle(size * 0.5f, 1); break;
    case Icon::back: triangle(0, -1); break;
    case Icon::forward: triangle(0, 1); break;
    case Icon::play: triangle(0, 1.5f); break;
    case Icon::pause: bar(-size * 0.45f), bar(size * 0.45f); break;
    }
}

} // namespace

bool icon_button(State& state, const char* id, Icon icon, std::string_view help)
{
    const viz::Theme& theme = state.theme;
    const bool pressed = ImGui::InvisibleButton(id, {theme.px(27), theme.px(24)});
    viz::mark_item(state.marks, id);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) {
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, with_alpha(theme.border, 0.7f), theme.px(3));
        state.hint = help;
    }
    draw_icon(icon, {(min.x + max.x) / 2, (min.y + max.y) / 2}, theme.px(5), hovered ? theme.ink : theme.ink_quiet);
    ImGui::SameLine(0, 0);
    return pressed;
}

} // namespace app
