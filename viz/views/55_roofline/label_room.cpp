#include "viz/views/55_roofline/label_room.h"

#include <algorithm>

namespace viz {

namespace {

bool meet(const draw::Box& a, const draw::Box& b)
{
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

} // namespace

// By the part of the line that is left after each side of the box has cut off its own.
bool crosses(ImVec2 from, ImVec2 to, const draw::Box& box)
{
    float begin = 0, end = 1;
    const auto cut = [&](float at, float step, float low, float high) {
        if (step == 0)
            return at > low && at < high;
        const float a = (low - at) / step, b = (high - at) / step;
        begin = std::max(begin, std::min(a, b));
        end = std::min(end, std::max(a, b));
        return true;
    };
    return cut(from.x, to.x - from.x, box.min.x, box.max.x) && cut(from.y, to.y - from.y, box.min.y, box.max.y) &&
           begin < end;
}

bool LabelRoom::is_free(const draw::Box& box) const
{
    const auto meets = [&](const draw::Box& other) { return meet(box, other); };
    return box.min.x >= area.min.x && box.max.x <= area.max.x && box.min.y >= area.min.y && box.max.y <= area.max.y &&
           std::ranges::none_of(marks, meets) && std::ranges::none_of(words, meets) &&
           std::ranges::none_of(lines, [&](const auto& line) { return crosses(line[0], line[1], box); }) &&
           std::ranges::none_of(leaders, [&](const auto& line) { return crosses(line[0], line[1], box); });
}

// Each ends on either side of the other.
bool LabelRoom::crosses_leaders(ImVec2 from, ImVec2 to) const
{
    const auto side = [](ImVec2 a, ImVec2 b, ImVec2 of) {
        return (b.x - a.x) * (of.y - a.y) - (b.y - a.y) * (of.x - a.x);
    };
    const auto apart = [&](ImVec2 a, ImVec2 b, ImVec2 c, ImVec2 d) { return side(a, b, c) * side(a, b, d) < 0; };
    return std::ranges::any_of(leaders, [&](const auto& line) {
        return apart(from, to, line[0], line[1]) && apart(line[0], line[1], from, to);
    });
}

bool LabelRoom::crosses_words(ImVec2 from, ImVec2 to) const
{
    return std::ranges::any_of(words, [&](const draw::Box& box) { return crosses(from, to, box); });
}

} // namespace viz
