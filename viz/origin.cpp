#include "viz/origin.h"

#include <imgui.h>

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

void draw_origin(ImDrawList& list, NumberOrigin origin, ImVec2 centre, float radius, Colour colour)
{
    const float thickness = 0.43f * radius;
    const ImVec2 min{centre.x - radius, centre.y - radius}, max{centre.x + radius, centre.y + radius};
    switch (origin) {
    case NumberOrigin::measured: list.AddCircleFilled(centre, radius, colour); break;
    case NumberOrigin::recorded: list.AddRectFilled(min, max, colour); break;
    case NumberOrigin::derived: list.AddCircle(centre, radius, colour, 0, thickness); break;
    case NumberOrigin::counter:
        list.AddTriangleFilled({centre.x, centre.y - radius}, {centre.x + radius, centre.y + radius},
                               {centre.x - radius, centre.y + radius}, colour);
        break;
    case NumberOrigin::shipped: list.AddRect(min, max, colour, 0, 0, thickness); break;
    }
}

} // namespace viz
