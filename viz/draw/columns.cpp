#include "viz/draw/columns.h"

#include <cmath>

namespace viz::draw {

std::vector<Box> columns(const Theme& theme, std::size_t count, float below)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = theme.px(10), of = static_cast<float>(count);
    const float width = std::floor((room.x - gap * (of - 1)) / of);
    std::vector<Box> all;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = corner.x + static_cast<float>(i) * (width + gap);
        all.push_back({{x, corner.y + below}, {x + width, corner.y + room.y}});
    }
    return all;
}

} // namespace viz::draw
