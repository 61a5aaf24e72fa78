#include "viz/draw/columns.h"

#include <cmath>

namespace viz::draw {

std::vector<Box> columns(const Theme& theme, bool two, float below)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = theme.px(10), width = two ? std::floor((room.x - gap) / 2) : room.x;
    std::vector<Box> all;
    for (int i = 0; i < (two ? 2 : 1); ++i) {
        const float x = corner.x + static_cast<float>(i) * (width + gap);
        all.push_back({{x, corner.y + below}, {x + width, corner.y + room.y}});
    }
    return all;
}

} // namespace viz::draw
