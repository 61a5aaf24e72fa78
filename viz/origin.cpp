#include "viz/origin.h"

#include "viz/figure/surface.h"

#include <imgui.h>

#include <array>

namespace viz {

std::string_view name(NumberOrigin origin)
{
    switch (origin) {
    case NumberOrigin::measured: return "measured";
    case NumberOrigin::recorded: return "recorded";
    case NumberOrigin::derived: return "derived";
    case NumberOrigin::counter: return "counter";
    case NumberOrigin::shipped: return "shipped";
    }
    return "";
}

void draw_origin(Surface& surface, NumberOrigin origin, ImVec2 centre, float radius, Colour colour)
{
    const float thickness = 0.43f * radius;
    const Box box = draw::around(centre, radius);
    switch (origin) {
    case NumberOrigin::measured: surface.circle(centre, radius, colour); break;
    case NumberOrigin::recorded: surface.fill(box, colour); break;
    case NumberOrigin::derived: surface.ring(centre, radius, colour, thickness); break;
    case NumberOrigin::counter:
        surface.polygon(std::array<ImVec2, 3>{{{centre.x, box.min.y}, box.max, {box.min.x, box.max.y}}}, colour);
        break;
    case NumberOrigin::shipped: surface.outline(box, colour, thickness); break;
    }
}

void draw_origin(ImDrawList& list, NumberOrigin origin, ImVec2 centre, float radius, Colour colour)
{
    ImGuiSurface surface(&list);
    draw_origin(surface, origin, centre, radius, colour);
}

} // namespace viz
