#include "app/panels/header/origins.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

#include "viz/draw/rich_text.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <string>

namespace app {

namespace {

// Draws the typed text with a cursor. Its keys come from Shell::press, not from ImGui.
void draw_field(const State& state)
{
    const viz::Theme& theme = state.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = line_height(theme.heading) + theme.px(12);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, theme.background, theme.px(4));
    list.AddRect(at, {at.x + width, at.y + height}, theme.accent(), theme.px(4));
    const std::string& typed = state.palette.typed();
    const ImVec2 text_at{at.x + theme.px(10), at.y + theme.px(6)};
    const float room = width - theme.px(24), needed = text_width(theme.heading, typed);
    list.PushClipRect({text_at.x, at.y}, {text_at.x + room + theme.px(4), at.y + height}, true);
    const float x = text_at.x + std::min(room - needed, 0.0f); // keeps the end of the text visible
    if (state.palette.all_selected())
        list.AddRectFilled({x, text_at.y}, {x + needed, text_at.y + line_height(theme.heading)},
                           with_alpha(theme.accent(), 0.4f));
    draw_text(theme.heading, {x, text_at.y}, theme.ink, typed);
    list.AddRectFilled({x + needed + 1, text_at.y}, {x + needed + theme.px(2), text_at.y + line_height(theme.heading)},
                       theme.accent());
    list.PopClipRect();
    ImGui::Dummy({width, height + theme.px(4)});
    viz::mark_item(state.marks, "palette:field");
}

void draw_row(State& state, const PaletteEntry& entry, std::size_t row)
{
    const viz::Theme& theme = state.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = line_height(theme.text) + theme.px(8);
    ImGui::PushID(static_cast<int>(row));
    const bool pressed = ImGui::InvisibleButton("row", {width, height});
    ImGui::PopID();
    viz::mark_item(state.marks, "palette:" + entry.kind + ":" + (entry.id.empty() ? entry.title : entry.id));
    if (ImGui::IsItemHovered() && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
        state.palette.choose(row);
    const bool chosen = row == state.palette.chosen();
    if (chosen)
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, with_alpha(theme.accent(), 0.22f),
                                                  theme.px(3));
    const float y = at.y + theme.px(4), kind = theme.px(86);
    draw_text(theme.text, {at.x + theme.px(8), y}, theme.ink_faint, entry.kind);
    const std::string beside = entry.with.empty() ? entry.keys : "with " + entry.with;
    const float keys = beside.empty() ? 0 : text_width(theme.text, beside) + theme.px(16);
    if (keys > 0)
        draw_text_right(theme.text, {at.x + width - theme.px(8), y}, theme.ink_quiet, beside);
    const float left = at.x + kind, room = width - kind - keys - theme.px(8);
    const float title = std::min(text_width(theme.text, entry.title), room);
    draw_text_within(theme.text, {left, y}, room, theme.ink, entry.title);
    if (room - title > theme.px(60))
        draw_text_within(theme.text, {left + title + theme.px(14), y}, room - title - theme.px(14), theme.ink_faint,
                         entry.also);
    if (pressed) {
        state.palette.choose(row);
        state.palette.run();
    }
}

void draw_content(State& state)
{
    const viz::Theme& theme = state.theme;
    draw_field(state);
    if (!state.palette.wrong().empty())
        text_wrapped(theme.warning, state.palette.wrong());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const std::vector<const PaletteEntry*> found = state.palette.found();
    for (std::size_t i = 0; i < found.size() && state.palette.is_open(); ++i)
        draw_row(state, *found[i], i);
    ImGui::PopStyleVar();
    if (found.empty())
        say(theme,
            viz::rich("Nothing is called so. Try a stage, a view, a lesson, a word such as *wavefront*, or what a "
                      "key does."));
    const PaletteEntry* chosen = state.palette.chosen_entry();
    if (state.palette.is_open() && chosen != nullptr && (chosen->kind == "term" || chosen->id == "open"))
        ImGui::Dummy({0, theme.px(4)}), text_wrapped(theme.ink_quiet, chosen->also);
    ImGui::Dummy({0, theme.px(4)});
    text_wrapped(theme.ink_quiet, "Enter: go there, or run it. ↑ ↓: choose. Esc: close.");
}

} // namespace

void draw_palette(State& state, float width, float height)
{
    if (!state.palette.is_open())
        return;
    const viz::Theme& theme = state.theme;
    const float wide = std::min(theme.px(760), width - theme.px(20));
    ImGui::SetNextWindowPos({(width - wide) / 2, std::min(theme.px(60), height / 12)});
    ImGui::SetNextWindowSize({wide, 0});
    ImGui::SetNextWindowFocus(); // in front of the panels, so that their text fields lose the keyboard focus
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(10), theme.px(10)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    // Does not use an ImGui popup, which would close a frame after its keys end.
    ImGui::Begin("##palette", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    draw_content(state);
    // A click outside closes the palette. A pressed row counts as inside, because it runs when the mouse button is
    // released.
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        state.palette.close();
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

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
