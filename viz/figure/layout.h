// Divides the space of a figure among its panels.
#pragma once

#include "viz/draw/draw.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

namespace viz {

using draw::Box;

// A length: a fixed number of pixels, plus a share of what all fixed numbers leave.
struct Track {
    float pixels = 0, share = 0;
};
inline Track pixels(float count)
{
    return {count, 0};
}
inline Track share_of_rest(float share = 1)
{
    return {0, share};
}

// Divides a box from top to bottom, or from left to right, with a gap between neighbours. Edges are at whole pixels.
std::vector<Box> rows(const Box& box, std::span<const Track> rooms, float gap);
std::vector<Box> columns(const Box& box, std::span<const Track> rooms, float gap);
inline std::vector<Box> rows(const Box& box, std::initializer_list<Track> rooms, float gap)
{
    return rows(box, std::span(rooms.begin(), rooms.size()), gap);
}
inline std::vector<Box> columns(const Box& box, std::initializer_list<Track> rooms, float gap)
{
    return columns(box, std::span(rooms.begin(), rooms.size()), gap);
}
std::vector<Box> columns(const Box& box, std::size_t count, float gap); // of equal width

// Returns the smallest power of two n such that a number fits into n of `count` equal parts. Only each n-th part is
// then numbered.
std::size_t every_nth(std::size_t count, float part, float number);

// Words must not cross these.
struct Obstacles {
    std::vector<Box> frames; // words are completely inside a frame, or completely outside
    std::vector<Box> filled; // words are completely outside
};
// Returns where to centre words of this size: the place nearest to the middle of the box with a `margin` to all
// obstacles. Returns nothing if there is none.
std::optional<ImVec2> clear_place(const Box& box, ImVec2 size, const Obstacles& obstacles, float margin);

} // namespace viz
