#include "app/panels/panels.h"

#include "app/panels/header/origins.h"
#include "app/panels/widgets.h"

#include "viz/text/templates.h"

namespace app {

namespace {

void draw_key(const viz::Theme& theme, const std::string& keys, const std::string& words, float column)
{
    text(theme.ink, keys);
    ImGui::SameLine(theme.px(20) + column); // relative to the start of the table column
    text_wrapped(theme.ink_quiet, words);
}

void draw_title(const viz::Theme& theme, std::string_view title)
{
    ImGui::Dummy({0, theme.px(6)});
    text_heading(theme, title);
}

// Draws the keys of the whole window, or those of single views.
void draw_keys(const Commands& commands, State& state, float column, bool of_views)
{
    std::string_view group;
    for (const Command& command : commands) {
        if (command.view.empty() == of_views)
            continue;
        if (command.group != group)
            draw_title(state.theme, command.group);
        group = command.group;
        const float top = ImGui::GetCursorScreenPos().y;
        draw_key(state.theme, keys_text(command), command.words, column);
        const ImVec2 min{ImGui::GetCursorScreenPos().x, top}, max{min.x + column, ImGui::GetItemRectMax().y};
        viz::mark(state.marks, "key:" + command.id, min, max);
    }
}

void draw_with_mouse(const State& state, float column)
{
    const viz::Theme& theme = state.theme;
    draw_title(theme, "With the mouse");
    draw_key(theme, "click a stage", "look at it", column);
    draw_key(theme, "Shift-click a stage", "compare it with the first", column);
    draw_key(theme, "click a source line", "its next access", column);
    draw_key(theme, "drag the timeline", "move through time", column);
    draw_key(theme, "wheel on the timeline", "zoom; with Shift: earlier or later", column);
    draw_key(theme, "Shift-wheel on the source", "scroll sideways", column);
    draw_key(theme, "drop a file", "open that recording, source (.cu) or saved state (.gstate)", column);
}

// Draws the marks of origins with their meanings.
void draw_origins_legend(const viz::Theme& theme)
{
    draw_title(theme, "Where a number comes from");
    for (const Origin origin :
         {Origin::measured, Origin::recorded, Origin::derived, Origin::counter, Origin::shipped}) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        viz::draw_origin(*ImGui::GetWindowDrawList(), origin, {at.x + theme.px(6), at.y + line_height(theme.text) / 2},
                         theme.px(4), theme.ink);
        ImGui::SetCursorScreenPos({at.x + theme.px(20), at.y});
        text_wrapped(theme.ink_quiet, explained(origin, "the GPU that is named beside it"));
    }
}

} // namespace

void draw_help(const Commands& commands, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(8), theme.px(4)});
    if (begin_page(state, area, {.name = "##help", .title = "All keys", .mark = "help:leave"}))
        state.toggle(Page::keys);
    if (ImGui::IsWindowAppearing())
        ImGui::SetScrollY(0);
    if (button(state, "The first page, and the tour", "help:first"))
        state.open(Page::first);
    ImGui::SameLine();
    if (button(state, "Lessons and questions", "help:learn")) {
        leave_first_page(state);
        state.open(Page::learn);
    }
    const bool two = area.width > theme.px(820);
    const float keys = theme.px(area.width > theme.px(500) ? 180.0f : 140.0f);
    if (ImGui::BeginTable("columns", two ? 2 : 1, ImGuiTableFlags_SizingStretchSame)) {
        ImGui::TableNextColumn();
        draw_keys(commands, state, keys, false);
        draw_origins_legend(theme);
        ImGui::TableNextColumn();
        draw_keys(commands, state, keys, true);
        draw_with_mouse(state, keys);
        ImGui::EndTable();
    }
    end_page();
    ImGui::PopStyleVar();
}

} // namespace app
