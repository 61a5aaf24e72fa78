// Divides the space of a figure among its panels.
#pragma once

#include "viz/draw/draw.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace viz {

using draw::Box;

// A fixed number of pixels, plus a share of the space that the fixed numbers leave.
struct Room {
    float pixels = 0, share = 0;
};
inline Room pixels(float count)
{
    return {count, 0};
}
inline Room share_of_rest(float share = 1)
{
    return {0, share};
}

// Divides a box from top to bottom, or from left to right, with a gap between neighbours. Results lie on whole pixels.
std::vector<Box> rows(const Box& box, std::span<const Room> rooms, float gap);
std::vector<Box> columns(const Box& box, std::span<const Room> rooms, float gap);
inline std::vector<Box> rows(const Box& box, std::initializer_list<Room> rooms, float gap)
{
    return rows(box, std::span(rooms.begin(), rooms.size()), gap);
}
inline std::vector<Box> columns(const Box& box, std::initializer_list<Room> rooms, float gap)
{
    return columns(box, std::span(rooms.begin(), rooms.size()), gap);
}
std::vector<Box> columns(const Box& box, std::size_t count, float gap); // of equal width

} // namespace viz
