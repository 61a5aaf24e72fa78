#include "app/panels/panels.h"

#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
        begin_area(id, {x, layout.view.y, gap, layout.view.height}, no_fill, false);
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

void Presenting::toggle(Panels& panels)
{
    on = !on;
    pen = blank = false;
    drawn.clear();
    std::swap(panels.ladder, ladder);
    std::swap(panels.source, source);
}

void Presenting::press(std::string key, double seconds)
{
    keys.emplace_back(std::move(key), seconds);
    if (keys.size() > most_keys)
        keys.pop_front();
}

void Presenting::move(float x, float y, double seconds)
{
    if (trail.empty() || trail.back().x != x || trail.back().y != y)
        trail.push_back({x, y, seconds});
}

void Presenting::forget(double seconds)
{
    while (!keys.empty() && seconds - keys.front().second > key_seconds)
        keys.pop_front();
    while (trail.size() > 1 && seconds - trail.front().when > trail_seconds)
        trail.pop_front();
}

namespace {

// Covers the window while the pen draws or the screen is blank, so that the mouse changes nothing below.
void take_mouse(Presenting& presenting, const Area& window)
{
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({window.width, window.height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, no_fill);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    // Unlike an area, this window comes to the front when it appears.
    ImGui::Begin("##presenting", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    const bool clicked = ImGui::InvisibleButton("all", {window.width, window.height});
    if (presenting.blank) {
        presenting.blank = !clicked;
    } else {
        const ImGuiIO& io = ImGui::GetIO();
        const bool begins = ImGui::IsItemActivated(), moved = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
        if (begins)
            presenting.drawn.emplace_back();
        if (begins || (moved && ImGui::IsItemActive() && !presenting.drawn.empty())) // it may have been cleared
            presenting.drawn.back().push_back(io.MousePos);
    }
    ImGui::End();
}

// Draws each line with an edge, so that it is visible on every colour. A click alone is a dot.
void draw_lines(const State& state, ImDrawList& list)
{
    for (const auto& line : state.presenting.drawn)
        for (const auto& [colour, width] : {std::pair{state.theme.background, 8.0f}, {state.theme.accent(), 4.0f}}) {
            list.AddPolyline(line.data(), static_cast<int>(line.size()), colour, 0, state.theme.px(width));
            for (const ImVec2& end : {line.front(), line.back()})
                list.AddCircleFilled(end, state.theme.px(width / 2), colour);
        }
}

void draw_trail(const State& state, ImDrawList& list)
{
    const auto& trail = state.presenting.trail;
    for (std::size_t i = 0; i < trail.size(); ++i) {
        const bool latest = i + 1 == trail.size();
        const double age = (state.seconds - trail[i].when) / Presenting::trail_seconds;
        const auto left = latest ? 1.0f : static_cast<float>(std::clamp(1 - age, 0.0, 1.0));
        const ImVec2 at{trail[i].x, trail[i].y};
        if (latest)
            list.AddCircle(at, state.theme.px(14), with_alpha(state.theme.accent(), 0.8f), 0, state.theme.px(3));
        else
            list.AddCircleFilled(at, state.theme.px(2 + 8 * left), with_alpha(state.theme.accent(), 0.35f * left));
    }
}

void draw_keys(const State& state, ImDrawList& list, const Area& view)
{
    const viz::Theme& theme = state.theme;
    const float pad = theme.px(8), high = line_height(theme.heading) + 2 * pad;
    const float left_edge = view.x + theme.px(12), y = view.bottom() - theme.px(8) - high;
    float x = left_edge;
    for (const auto& [key, when] : state.presenting.keys) {
        const float left =
            static_cast<float>(std::clamp(1.5 - (state.seconds - when) / Presenting::key_seconds, 0.0, 1.0));
        const float wide = text_width(theme.heading, key) + 2 * pad;
        list.AddRectFilled({x, y}, {x + wide, y + high}, with_alpha(theme.panel, 0.95f * left), theme.px(5));
        list.AddRect({x, y}, {x + wide, y + high}, with_alpha(theme.accent(), left), theme.px(5), 0, theme.px(1.5f));
        list.AddText(theme.heading, theme.heading->FontSize, {x + pad, y + pad}, with_alpha(theme.ink, left),
                     key.c_str());
        x += wide + theme.px(6);
    }
    if (!state.presenting.keys.empty())
        viz::mark(state.marks, "presenting:keys", {left_edge, y}, {x, y + high});
}

} // namespace

void draw_presenting(State& state, const Area& view, const Area& window)
{
    Presenting& presenting = state.presenting;
    if (!presenting.on) {
        presenting.keys.clear();
        presenting.trail.clear();
        return;
    }
    if (const std::pair shown{state.at.view, state.at.page}; std::exchange(presenting.drawn_over, shown) != shown)
        presenting.drawn.clear();
    if (presenting.pen || presenting.blank)
        take_mouse(presenting, window);
    if (presenting.pen)
        presenting.trail.clear();
    if (ImGui::IsMousePosValid())
        presenting.move(ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y, state.seconds);
    presenting.forget(state.seconds);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    if (presenting.blank)
        return list.AddRectFilled({0, 0}, {window.width, window.height}, state.theme.background);
    draw_lines(state, list);
    draw_trail(state, list);
    draw_keys(state, list, view);
}

} // namespace app
