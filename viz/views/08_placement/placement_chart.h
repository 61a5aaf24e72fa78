// Blocks on SMs over time, drawn: all SMs, how many blocks are resident, and one SM with its slots.
#pragma once

#include "viz/analysis/placement.h"
#include "viz/draw/draw.h"
#include "viz/draw/time_window.h"
#include "viz/marks.h"
#include "viz/views/08_placement/kept_pixels.h"

#include <optional>
#include <utility>

namespace viz {

struct PlacementChart {
    const PlacementPicture& picture;
    TimeWindow time;                  // in nanoseconds
    std::optional<uint32_t> selected; // a block, linear in the grid
    const Theme& theme;
    Marks* marks = nullptr;
};

Colour wave_colour(const Theme& theme, uint32_t wave);
Colour idle_colour(const Theme& theme); // of an SM without a block

using SmPixels = KeptPixels<std::pair<const PlacementPicture*, TimeWindow>>; // the blocks of all SMs

// Each is one ImGui item in the box, and returns the block under the mouse.
const PlacedBlock* draw_sms(const PlacementChart& chart, SmPixels& pixels, const draw::Box& box);
// The row at a height of the same box.
uint32_t sm_at(const PlacementChart& chart, const draw::Box& box, float y);
const PlacedBlock* draw_one_sm(const PlacementChart& chart, uint32_t sm, const draw::Box& box);
// No item. Also the axis of time, below it.
void draw_resident(const PlacementChart& chart, const draw::Box& box);

// Of `box`, the row above the chart of all SMs: the tail with its length at the right, the waves' colours at the left.
void draw_tail(const PlacementChart& chart, const draw::Box& box, float waves_end);
float draw_waves(const PlacementChart& chart, const draw::Box& box); // where they end
// The end of the launch, while it races with another: through all of the box, named where there is room.
void draw_finish(const PlacementChart& chart, const draw::Box& box, std::size_t column);
// The line of one time, through all of the box; and the time of a place in it.
void draw_sweep(const PlacementChart& chart, const draw::Box& box, double ns);
double time_at(const PlacementChart& chart, const draw::Box& box, float x);

// 0 where the rows of all SMs say as much.
float height_of_one_sm(const PlacementPicture& picture, const Theme& theme);
float label_room(const Theme& theme); // left of all three

} // namespace viz
