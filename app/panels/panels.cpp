#include "app/panels/panels.h"

#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>

namespace app {

bool draw_open_page(const Snapshot& snapshot, Session& session, State& state, const Area& area)
{
    if (state.at.page == Page::learn)
        draw_library(session, state, area);
    else if (state.at.page == Page::sources)
        draw_claims(snapshot, state, area);
    else if (state.at.page == Page::counters || state.at.page == Page::accuracy)
        draw_counter_table(snapshot, state, area);
    else if (snapshot.program() != nullptr)
        draw_programs(snapshot, session, state, area);
    else if (snapshot.search() != nullptr)
        draw_search(snapshot, session, state, area);
    else
        return false;
    return true;
}

void draw_splitters(State& state, const Layout& layout)
{
    const viz::Theme& theme = state.theme;
    const float gap = splitter_width * theme.scale;
    const auto splitter = [&](const char* id, float x, float sign, float least, float most, float shown, float& width) {
        begin_place(id, {x, layout.view.y, gap, layout.view.height}, no_fill, false);
        ImGui::SetCursorScreenPos({x, layout.view.y});
        ImGui::InvisibleButton("drag", {gap, std::max(layout.view.height, 1.0f)});
        const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
        if (active || hovered)
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        if (active && ImGui::GetIO().MouseDelta.x != 0)
            width = std::clamp((shown + sign * ImGui::GetIO().MouseDelta.x) / theme.scale, least, most);
        const float line = x + std::floor(gap / 2);
        ImGui::GetWindowDrawList()->AddLine({line, layout.view.y}, {line, layout.view.bottom()},
                                            active || hovered ? theme.accent() : theme.border);
        ImGui::End();
    };
    Panels& panels = state.at.panels;
    if (layout.ladder_open)
        splitter("##left", layout.ladder.right(), 1, least_ladder_width, 420, layout.ladder.width, panels.ladder_width);
    if (layout.source_open)
        splitter("##right", layout.source.x - gap, -1, least_source_width, 900, layout.source.width,
                 panels.source_width);
}

} // namespace app
