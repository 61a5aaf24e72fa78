#include "viz/figure/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

namespace {

// Returns the beginning and the end of each room along a length.
std::vector<std::pair<float, float>> divided(float from, float until, std::span<const Room> rooms, float gap)
{
    float rest = until - from - gap * static_cast<float>(std::max<std::size_t>(rooms.size(), 1) - 1), shares = 0;
    for (const Room& room : rooms) {
        rest -= room.pixels;
        shares += room.share;
    }
    rest = std::max(rest, 0.0f);
    std::vector<std::pair<float, float>> parts;
    float at = from;
    for (const Room& room : rooms) {
        const float length = room.pixels + (shares > 0 ? rest * room.share / shares : 0);
        parts.emplace_back(std::round(at), std::round(at + length));
        at += length + gap;
    }
    return parts;
}

} // namespace

std::vector<Box> rows(const Box& box, std::span<const Room> rooms, float gap)
{
    std::vector<Box> all;
    for (const auto& [top, bottom] : divided(box.min.y, box.max.y, rooms, gap))
        all.push_back({{box.min.x, top}, {box.max.x, bottom}});
    return all;
}

std::vector<Box> columns(const Box& box, std::span<const Room> rooms, float gap)
{
    std::vector<Box> all;
    for (const auto& [left, right] : divided(box.min.x, box.max.x, rooms, gap))
        all.push_back({{left, box.min.y}, {right, box.max.y}});
    return all;
}

std::vector<Box> columns(const Box& box, std::size_t count, float gap)
{
    const std::vector<Room> rooms(count, share_of_rest());
    return columns(box, rooms, gap);
}

} // namespace viz
