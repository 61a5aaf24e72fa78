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

// A fixed number of pixels, plus a share of the space that the fixed numbers leave.
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

// Divides a box from top to bottom, or from left to right, with a gap between neighbours. Results lie on whole pixels.
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

// Returns the smallest power of two n for which n of `count` equal parts have room for one number. If each part has,
// that is 1. Used to number each n-th part.
std::size_t every_nth(std::size_t count, float part, float number);

// What words in a box must not cross.
struct Obstacles {
    std::vector<Box> frames; // words are completely inside a frame, or completely outside
    std::vector<Box> filled; // words are completely outside
};
// Returns the place nearest to the middle of the box at which words of this size can be centred, `margin` away from all
// obstacles; nothing if there is none.
std::optional<ImVec2> clear_place(const Box& box, ImVec2 size, const Obstacles& obstacles, float margin);

} // namespace viz
