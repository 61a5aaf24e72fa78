#include "app/panels/header/badge.h"

#include "app/panels/widgets.h"

#include "viz/text/templates.h"

#include <algorithm>

namespace app {

namespace {

constexpr float mark_radius = 3.5f;

} // namespace

viz::Message explained(Origin origin, std::string_view device)
{
    switch (origin) {
    case Origin::measured: return {"origin.measured_means", {{"device", device}}};
    case Origin::recorded: return {"origin.recorded_means"};
    case Origin::derived: break;
    case Origin::counter: return {"origin.counter_means", {{"device", device}}};
    case Origin::shipped: return {"origin.shipped_means", {{"device", device}}};
    }
    return {"origin.derived_means"};
}

void explain_origin(State& state, const viz::Message& words)
{
    state.hint = state.tip = viz::plain(words);
    tooltip(state.theme, viz::Messages{words});
}

float badge_width(const viz::Theme& theme, std::string_view words)
{
    return theme.px(2 * mark_radius + 5) + text_width(theme.text, words);
}

namespace {

void draw_badge(State& state, Origin origin, std::string_view words, std::string_view device, bool right)
{
    const viz::Theme& theme = state.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = line_height(theme.text), radius = theme.px(mark_radius);
    const std::string_view shown = words.empty() ? viz::name(origin) : words;
    const float width = badge_width(theme, shown), gap = width - text_width(theme.text, shown);
    const float free = right ? std::max(ImGui::GetContentRegionAvail().x - width, 0.0f) : 0.0f;
    viz::draw_origin(*ImGui::GetWindowDrawList(), origin, {at.x + free + radius, at.y + height / 2}, radius,
                     theme.ink_quiet);
    draw_text(theme.text, {at.x + free + gap, at.y}, theme.ink_quiet, shown);
    ImGui::Dummy({free + width, height});
    if (ImGui::IsItemHovered())
        explain_origin(state, explained(origin, device));
}

} // namespace

void badge_right(State& state, Origin origin, ImVec2 right_top, std::string_view words, std::string_view device)
{
    const viz::Theme& theme = state.theme;
    const float width = badge_width(theme, words), height = line_height(theme.text), radius = theme.px(mark_radius);
    const ImVec2 min{right_top.x - width, right_top.y};
    viz::draw_origin(*ImGui::GetWindowDrawList(), origin, {min.x + radius, min.y + height / 2}, radius,
                     theme.ink_quiet);
    draw_text_right(theme.text, right_top, theme.ink_quiet, words);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, {right_top.x, min.y + height}))
        explain_origin(state, explained(origin, device));
}

void badge(State& state, Origin origin, std::string_view words, std::string_view device) // as the figures: at the right
{
    draw_badge(state, origin, words, device, true);
}

void badge_left(State& state, Origin origin, std::string_view words, std::string_view device)
{
    draw_badge(state, origin, words, device, false);
}

} // namespace app
