#include "app/panels/widgets.h"

#include "app/panels/state.h"

#include "viz/draw/draw.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/draw_figure.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace app {

bool begin_area(const char* name, const Area& area, viz::Colour background, bool padded)
{
    ImGui::SetNextWindowPos({area.x, area.y});
    ImGui::SetNextWindowSize({std::max(area.width, 1.0f), std::max(area.height, 1.0f)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, no_fill);
    if (!padded)
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    const bool open = ImGui::Begin(name, nullptr,
                                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(padded ? 1 : 2);
    ImGui::PopStyleColor();
    if (background != no_fill) // otherwise the window's own background is visible
        viz::draw::fill_opaque(*ImGui::GetWindowDrawList(), {area.x, area.y}, {area.right(), area.bottom()},
                               background);
    return open;
}

void begin_view(const viz::Theme& theme)
{
    constexpr float least_width = 300, least_height = 200; // at scale 1
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // In this argument order std::max also replaces a NaN.
    ImGui::BeginChild("middle", {std::max(theme.px(least_width), room.x), std::max(theme.px(least_height), room.y)});
}

bool begin_page(const State& state, const Area& area, const PageTitle& page)
{
    const viz::Theme& theme = state.theme;
    begin_area(page.name, area, no_fill, false);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(page.padding), theme.px(page.padding < 20 ? 8 : 12)});
    ImGui::BeginChild("page", {area.width, area.height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    text_heading(theme, page.title);
    const float width = text_width(theme.text, page.close) + theme.px(2 * page.padding + 6);
    ImGui::SameLine(std::max(ImGui::GetWindowWidth() - width, 0.0f));
    return button(state, page.close, page.mark);
}

void end_page()
{
    ImGui::EndChild();
    ImGui::End();
}

float text_width(ImFont* font, std::string_view text)
{
    return viz::draw::measure(font, text).x;
}

float line_height(const ImFont* font)
{
    return font->FontSize;
}

void draw_text(ImFont* font, ImVec2 at, viz::Colour colour, std::string_view text)
{
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {std::floor(at.x), std::floor(at.y)}, colour, text.data(),
                                        text.data() + text.size());
}

void draw_text_right(ImFont* font, ImVec2 right_top, viz::Colour colour, std::string_view text)
{
    draw_text(font, {right_top.x - text_width(font, text), right_top.y}, colour, text);
}

bool draw_text_within(ImFont* font, ImVec2 at, float width, viz::Colour colour, std::string_view text)
{
    if (text_width(font, text) <= width) {
        draw_text(font, at, colour, text);
        return false;
    }
    const float dots = text_width(font, "…");
    const char* end = nullptr;
    font->CalcTextSizeA(font->FontSize, std::max(width - dots, 1.0f), 0, text.data(), text.data() + text.size(), &end);
    const auto fitting = text.substr(0, static_cast<std::size_t>(end - text.data()));
    draw_text(font, at, colour, fitting);
    draw_text(font, {at.x + text_width(font, fitting), at.y}, colour, "…");
    return true;
}

void draw_rule(const viz::Theme& theme, const Area& area, float y)
{
    ImGui::GetWindowDrawList()->AddLine({area.x, y}, {area.right(), y}, theme.border);
}

void draw_hovered_row(const viz::Theme& theme, ImVec2 min, ImVec2 max)
{
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, with_alpha(theme.ink, 0.06f));
}

bool figure_cell(const viz::Theme& theme, viz::Colour colour, std::string_view words)
{
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, line_height(theme.mono)});
    draw_text_right(theme.mono, {ImGui::GetItemRectMax().x, ImGui::GetItemRectMin().y}, colour, words);
    return ImGui::IsItemHovered();
}

void text(viz::Colour colour, std::string_view text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
}

void text_heading(const viz::Theme& theme, std::string_view words)
{
    ImGui::PushFont(theme.heading);
    text(theme.ink, words);
    ImGui::PopFont();
}

std::string broken_at_blanks(ImFont* font, std::string_view words, float width)
{
    std::string result;
    float used = 0;
    const float blank = text_width(font, " ");
    while (!words.empty()) {
        const std::size_t end = std::min(words.find_first_of(" \n"), words.size());
        const float needed = text_width(font, words.substr(0, end));
        if (used > 0 && used + blank + needed > width) {
            result += '\n';
            used = 0;
        } else if (used > 0) {
            result += ' ';
            used += blank;
        }
        result += words.substr(0, end);
        used += needed;
        if (end < words.size() && words[end] == '\n') {
            result += '\n';
            used = 0;
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return result;
}

void text_wrapped(viz::Colour colour, std::string_view words)
{
    ImGui::PushTextWrapPos(0); // wraps a word that is longer than a line
    text(colour, broken_at_blanks(ImGui::GetFont(), words, ImGui::GetContentRegionAvail().x));
    ImGui::PopTextWrapPos();
}

namespace {

// Returns whether the mouse has not moved since a click. Until it moves, a tooltip would cover what the click changed.
bool was_clicked_here()
{
    const ImVec2 now = ImGui::GetMousePos(), then = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
    return std::abs(now.x - then.x) < 3 && std::abs(now.y - then.y) < 3;
}

void draw_cross(ImVec2 at, float size, viz::Colour colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = std::max(size * 0.14f, 1.5f);
    const float low = size * 0.2f, high = size * 0.85f;
    list.AddLine({at.x + low, at.y + low}, {at.x + high, at.y + high}, colour, width);
    list.AddLine({at.x + high, at.y + low}, {at.x + low, at.y + high}, colour, width);
}

} // namespace

void say(const viz::Theme& theme, const viz::Rich& words)
{
    viz::RichText(theme).write(words).draw(ImGui::GetContentRegionAvail().x);
}

void tooltip(const viz::Theme& theme, std::string_view words)
{
    if (words.empty() || !ImGui::IsItemHovered() || was_clicked_here())
        return;
    ImGui::BeginTooltip();
    text(theme.ink, broken_at_blanks(ImGui::GetFont(), words, theme.px(420)));
    ImGui::EndTooltip();
}

void tooltip(const viz::Theme& theme, const viz::Rich& words)
{
    if (was_clicked_here())
        return;
    viz::RichText prose(theme);
    prose.write(words);
    ImGui::BeginTooltip();
    prose.draw(std::min(prose.width(), theme.px(380)));
    ImGui::EndTooltip();
}

std::optional<viz::Rich> draw_silent_panel(State& state, const viz::Panel& panel)
{
    const viz::LadderFacts ladder_facts;
    viz::Requests requests;
    std::optional<viz::Rich> tip;
    viz::ViewFrame frame{
        {{}, state.at.selection, ladder_facts, requests}, state.hint, state.theme, state.seconds, state.marks};
    frame.tip = &tip;
    viz::draw_panel(panel, frame);
    return tip;
}

void draw_panel(State& state, const viz::Panel& panel)
{
    const std::optional<viz::Rich> tip = draw_silent_panel(state, panel);
    if (!tip)
        return;
    tooltip(state.theme, *tip);
    state.tip = viz::plain(*tip);
}

void draw_still(const State& state, const viz::Panel& panel)
{
    viz::ImGuiSurface surface(ImGui::GetWindowDrawList());
    viz::Painter painter(surface, state.theme, std::nullopt, state.marks);
    viz::paint(painter, {.panels = {panel}});
}

void hint(State& state, const viz::Message& words)
{
    if (ImGui::IsItemHovered())
        state.hint = viz::plain(words);
}

void hint(State& state, const viz::Rich& words)
{
    if (ImGui::IsItemHovered())
        state.hint = viz::plain(words);
}

bool text_field(const char* id, const char* example, std::string& typed, ImGuiInputTextFlags flags, std::size_t most)
{
    std::array<char, longest_field + 1> bytes{};
    std::copy_n(typed.begin(), std::min(typed.size(), bytes.size() - 1), bytes.begin());
    const bool result = ImGui::InputTextWithHint(id, example, bytes.data(), std::min(most + 1, bytes.size()), flags);
    typed = bytes.data();
    return result;
}

bool is_form_open()
{
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void forget_gone_field(bool& had_form)
{
    const bool has_form = is_form_open();
    if (std::exchange(had_form, has_form) && !has_form)
        ImGui::GetIO().WantTextInput = false;
}

void form_label(const viz::Theme& theme, const char* label, float column)
{
    ImGui::AlignTextToFramePadding();
    text(theme.ink_quiet, label);
    ImGui::SameLine(theme.px(column));
}

bool form_field(const viz::Theme& theme, const FormField& field, std::string& typed)
{
    form_label(theme, field.label, field.column);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(field.label);
    const bool entered =
        text_field("##value", field.example, typed,
                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll, field.most);
    ImGui::PopID();
    return entered;
}

void end_popup(const State& state)
{
    if (state.escaped)
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

bool radio(const State& state, const std::string& label, std::string_view mark, bool chosen)
{
    const bool pressed = ImGui::RadioButton(label.c_str(), chosen);
    viz::mark_item(state.marks, mark);
    return pressed;
}

bool button(const State& state, const std::string& label, std::string_view mark)
{
    const bool pressed = ImGui::Button(label.c_str());
    if (!mark.empty())
        viz::mark_item(state.marks, mark);
    return pressed;
}

bool quiet_button(const State& state, const std::string& label, std::string_view mark, bool chosen)
{
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? state.theme.ink : state.theme.ink_quiet);
    const bool pressed = button(state, label, mark);
    ImGui::PopStyleColor(2);
    return pressed;
}

bool title_to_close(const State& state, const viz::Rich& title, std::string_view mark)
{
    const viz::Theme& theme = state.theme;
    const float right = ImGui::GetContentRegionMax().x;
    viz::RichText(theme).write(title).draw(right - theme.px(40));
    if (mark.empty())
        return false;
    ImGui::SameLine(right - theme.px(22));
    return quiet_button(state, "×", mark);
}

void draw_check(ImVec2 at, float size, viz::Colour colour)
{
    const ImVec2 points[] = {{at.x + size * 0.12f, at.y + size * 0.55f},
                             {at.x + size * 0.4f, at.y + size * 0.82f},
                             {at.x + size * 0.9f, at.y + size * 0.2f}};
    ImGui::GetWindowDrawList()->AddPolyline(points, 3, colour, 0, std::max(size * 0.14f, 1.5f));
}

void draw_check_or_cross(const viz::Theme& theme, ImVec2 at, bool right)
{
    right ? draw_check(at, theme.px(12), theme.good) : draw_cross(at, theme.px(12), theme.warning);
}

} // namespace app
