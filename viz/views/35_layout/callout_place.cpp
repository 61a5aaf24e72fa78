#include "viz/views/35_layout/callout_place.h"

#include <algorithm>
#include <vector>

namespace viz {

ImVec2 callout_place(ImVec2 size, float margin, const draw::Box& picture, std::span<const draw::Box> spoken_of)
{
    float top = picture.max.y, bottom = picture.min.y, left = picture.max.x;
    for (const draw::Box& cell : spoken_of) {
        top = std::min(top, cell.min.y);
        bottom = std::max(bottom, cell.max.y);
        left = std::min(left, cell.min.x);
    }
    const ImVec2 first{picture.min.x + margin, picture.min.y + margin};
    const ImVec2 last{std::max(first.x, picture.max.x - size.x - 2 * margin),
                      std::max(first.y, picture.max.y - size.y - margin)};
    const float x = std::clamp(left + 2 * margin, first.x, last.x);
    std::vector<ImVec2> places;
    if (bottom + 2 * margin <= last.y)
        places.push_back({x, bottom + 2 * margin});
    if (top - 2 * margin - size.y >= first.y)
        places.push_back({x, top - 2 * margin - size.y});
    places.insert(places.end(), {{last.x, first.y}, {first.x, last.y}, last, first});
    const auto hidden = [&](ImVec2 at) {
        return std::ranges::count_if(spoken_of, [&](const draw::Box& cell) {
            return cell.min.x < at.x + size.x + margin && cell.max.x > at.x - margin &&
                   cell.min.y < at.y + size.y + margin && cell.max.y > at.y - margin;
        });
    };
    return *std::ranges::min_element(places, {}, hidden);
}

} // namespace viz
