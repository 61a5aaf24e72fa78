#include "app/panels/header/badge.h"

#include "app/panels/widgets.h"

#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

constexpr float mark_radius = 3.5f;

void draw_badge(const viz::Theme& theme, Origin origin, ImVec2 at, std::string_view words)
{
    const float radius = theme.px(mark_radius);
    viz::draw_origin(*ImGui::GetWindowDrawList(), origin, {at.x + radius, at.y + line_height(theme.text) / 2}, radius,
                     theme.ink_quiet);
    draw_text(theme.text, {at.x + badge_width(theme, ""), at.y}, theme.ink_quiet, words);
}

} // namespace

std::string explained(Origin origin, std::string_view device)
{
    switch (origin) {
    case Origin::measured: return fmt::format("Measured: the kernel ran and was timed on {}.", device);
    case Origin::recorded:
        return "Recorded: the kernel ran instrumented, and its accesses were counted as its source says them. "
               "Resources are as the driver reported them.";
    case Origin::derived: break;
    case Origin::counter: return fmt::format("Counter: {} itself counted it while the untraced kernel ran.", device);
    case Origin::shipped: return fmt::format("Shipped: it comes with gemmscope, from {}.", device);
    }
    return "Derived: computed from the addresses by the rules of the hardware, which were measured on an H200.";
}

void explain_origin(State& state, const std::string& words)
{
    state.hint = state.tip = words;
    tooltip(state.theme, viz::rich("{}", words));
}

float badge_width(const viz::Theme& theme, std::string_view words)
{
    return theme.px(2 * mark_radius + 5) + text_width(theme.text, words);
}

void badge(State& state, Origin origin, std::string_view words, std::string_view device, bool right)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = badge_width(state.theme, words), height = line_height(state.theme.text);
    const float free = right ? std::max(ImGui::GetContentRegionAvail().x - width, 0.0f) : 0.0f;
    draw_badge(state.theme, origin, {at.x + free, at.y}, words);
    ImGui::Dummy({free + width, height});
    if (ImGui::IsItemHovered())
        explain_origin(state, explained(origin, device));
}

void badge_right(State& state, Origin origin, ImVec2 right_top, std::string_view words, std::string_view device)
{
    const ImVec2 min{right_top.x - badge_width(state.theme, words), right_top.y};
    draw_badge(state.theme, origin, min, words);
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(min, {right_top.x, min.y + line_height(state.theme.text)}))
        explain_origin(state, explained(origin, device));
}

} // namespace app
