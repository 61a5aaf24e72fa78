// An arrow that shows in which direction an axis counts.
#pragma once

#include "viz/figure/figure.h"

#include <utility>
#include <vector>

namespace viz {

// Adds an arrow to the right, or downwards, on a wider one in the window's colour.
inline void add_axis_arrow(std::vector<Shape>& shapes, const Theme& theme, ImVec2 from, float length, bool down)
{
    const ImVec2 end{from.x + (down ? 0 : length), from.y + (down ? length : 0)};
    const float head = theme.px(5), side = head * 0.7f;
    const ImVec2 left = down ? ImVec2{end.x - side, end.y - head} : ImVec2{end.x - head, end.y - side};
    const ImVec2 right = down ? ImVec2{end.x + side, end.y - head} : ImVec2{end.x - head, end.y + side};
    for (const auto& [colour, thick] : {std::pair{theme.background, 5.0f}, {theme.ink, 2.0f}})
        for (const std::vector<ImVec2>& points : {std::vector{from, end}, std::vector{left, end, right}})
            shapes.push_back({.kind = Shape::Kind::line, .points = points, .stroke = colour, .thick = thick});
}

} // namespace viz
