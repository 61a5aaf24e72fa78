// The warps of one SM over time, drawn: four schedulers, a row for each slot of a warp, coloured by what the warp does; above the
// rows of a scheduler when all of its warps wait.
#pragma once

#include "viz/analysis/warp_times.h"
#include "viz/draw/draw.h"
#include "viz/draw/time_window.h"
#include "viz/marks.h"

#include <optional>
#include <string>

namespace viz {

Colour doing_colour(const Theme& theme, WarpDoing doing);

struct WarpLanes {
    const SmOverTime& picture;
    TimeWindow time; // in cycles
    const Theme& theme;
    std::string name; // in marks: "scheduler:NAME:0", "warp:NAME:SLOT"
    Marks* marks = nullptr;
};

// What a place of the picture is.
struct WarpLanesHit {
    uint32_t scheduler = 0;
    const recording::TimedWarp* warp = nullptr; // null: of the row above a scheduler's warps
    const WarpInterval* interval = nullptr;     // null with a warp: never; without: not all of its warps wait then
};

// Fills the box; the place of the mouse, where it is over something that is drawn. No ImGui item.
std::optional<WarpLanesHit> draw_warp_lanes(const WarpLanes& lanes, const draw::Box& box);

// Left of the rows, for the schedulers' names.
float lanes_label_room(const Theme& theme);

} // namespace viz
