#include "app/panels/badge.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace app {

namespace {

// Told apart by shape, not by colour alone.
void draw_mark(ImDrawList& list, Origin origin, ImVec2 centre, float radius, viz::Colour colour)
{
    switch (origin) {
    case Origin::measured: list.AddCircleFilled(centre, radius, colour); break;
    case Origin::recorded:
        list.AddRectFilled({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius}, colour);
        break;
    case Origin::derived: list.AddCircle(centre, radius, colour, 0, 1.5f); break;
    case Origin::counter:
        list.AddTriangleFilled({centre.x, centre.y - radius}, {centre.x + radius, centre.y + radius},
                               {centre.x - radius, centre.y + radius}, colour);
        break;
    case Origin::shipped:
        list.AddRect({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius}, colour, 0, 0,
                     1.5f);
        break;
    }
}

} // namespace

std::string_view name(Origin origin)
{
    switch (origin) {
    case Origin::measured: return "measured";
    case Origin::recorded: return "recorded";
    case Origin::derived: return "derived";
    case Origin::counter: return "counter";
    case Origin::shipped: return "shipped";
    }
    return "";
}

std::string explained(Origin origin, std::string_view device)
{
    switch (origin) {
    case Origin::measured: return fmt::format("Measured: the kernel ran and was timed on {}.", device);
    case Origin::recorded:
        return "Recorded: the kernel ran instrumented, and its accesses were counted as its source says them.";
    case Origin::derived:
        return "Derived: computed from the addresses by the rules of the hardware, which were measured on an H200.";
    case Origin::counter: return fmt::format("Counter: {} itself counted it while the untraced kernel ran.", device);
    case Origin::shipped: return fmt::format("Shipped: it comes with gemmscope, from {}.", device);
    }
    return "";
}

void badge(State& state, Origin origin, std::string_view words, std::string_view device)
{
    const viz::Theme& theme = state.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = line_height(theme.text), radius = theme.px(3.5f);
    const std::string_view shown = words.empty() ? name(origin) : words;
    const float width = 3 * radius + text_width(theme.text, shown);
    const float x = at.x + std::max(ImGui::GetContentRegionAvail().x - width, 0.0f); // as the figures: at the right
    draw_mark(*ImGui::GetWindowDrawList(), origin, {x + radius, at.y + height / 2}, radius, theme.ink_quiet);
    draw_text(theme.text, {x + 3 * radius, at.y}, theme.ink_quiet, shown);
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, height});
    if (ImGui::IsItemHovered())
        state.hint = explained(origin, device);
}

} // namespace app
