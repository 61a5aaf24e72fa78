#include "viz/figure/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

namespace {

// Divides a length among the tracks. Returns the beginning and the end of each.
std::vector<std::pair<float, float>> divided(float from, float until, std::span<const Track> rooms, float gap)
{
    float rest = until - from - gap * static_cast<float>(std::max<std::size_t>(rooms.size(), 1) - 1), shares = 0;
    for (const Track& room : rooms) {
        rest -= room.pixels;
        shares += room.share;
    }
    rest = std::max(rest, 0.0f);
    std::vector<std::pair<float, float>> parts;
    float at = from;
    for (const Track& room : rooms) {
        const float length = room.pixels + (shares > 0 ? rest * room.share / shares : 0);
        parts.emplace_back(std::round(at), std::round(at + length));
        at += length + gap;
    }
    return parts;
}

} // namespace

std::vector<Box> rows(const Box& box, std::span<const Track> rooms, float gap)
{
    std::vector<Box> all;
    for (const auto& [top, bottom] : divided(box.min.y, box.max.y, rooms, gap))
        all.push_back({{box.min.x, top}, {box.max.x, bottom}});
    return all;
}

std::vector<Box> columns(const Box& box, std::span<const Track> rooms, float gap)
{
    std::vector<Box> all;
    for (const auto& [left, right] : divided(box.min.x, box.max.x, rooms, gap))
        all.push_back({{left, box.min.y}, {right, box.max.y}});
    return all;
}

std::vector<Box> columns(const Box& box, std::size_t count, float gap)
{
    const std::vector<Track> rooms(count, share_of_rest());
    return columns(box, rooms, gap);
}

std::size_t every_nth(std::size_t count, float part, float number)
{
    std::size_t each = 1;
    while (each < count && static_cast<float>(each) * part < number)
        each *= 2;
    return each;
}

std::optional<ImVec2> clear_place(const Box& box, ImVec2 size, const Obstacles& obstacles, float margin)
{
    constexpr int steps = 8; // in each direction from the middle
    const ImVec2 room{(box.width() - size.x) / 2 - margin, (box.height() - size.y) / 2 - margin};
    if (room.x < 0 || room.y < 0)
        return {};
    const auto is_clear = [&](ImVec2 middle) {
        const ImVec2 half{size.x / 2 + margin, size.y / 2 + margin};
        const Box words{{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}};
        const auto inside = [&](const Box& frame) {
            return frame.min.x <= words.min.x && words.max.x <= frame.max.x && frame.min.y <= words.min.y &&
                   words.max.y <= frame.max.y;
        };
        return std::ranges::none_of(obstacles.filled, [&](const Box& one) { return one.overlaps(words); }) &&
               std::ranges::none_of(obstacles.frames,
                                    [&](const Box& one) { return one.overlaps(words) && !inside(one); });
    };
    std::optional<ImVec2> nearest;
    float best = 0;
    for (int down = -steps; down <= steps; ++down)
        for (int across = -steps; across <= steps; ++across) {
            const ImVec2 way{room.x * static_cast<float>(across) / steps, room.y * static_cast<float>(down) / steps};
            const ImVec2 middle{box.middle().x + way.x, box.middle().y + way.y};
            const float distance = way.x * way.x + way.y * way.y;
            if ((!nearest || distance < best) && is_clear(middle)) {
                nearest = middle;
                best = distance;
            }
        }
    return nearest;
}

} // namespace viz
