// Draws the 32 lanes of a warp to the right of the warp's name: in one row, or in several if the box is narrow. Also
// draws several steps, with a row of lanes for each.
#pragma once

#include "viz/figure/figure.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// The lanes of one warp, and their state.
struct LaneStrip {
    std::string id; // of the panel
    uint32_t warp = 0;
    uint32_t takes_part = 0;          // a bit for each lane; the other lanes are hollow
    uint32_t threads = 0xffffffff;    // the lanes that have a thread; the others are struck out
    uint32_t chosen = 0;              // the selected lane
    Colour colour = 0, of_chosen = 0; // of the lanes that take part, and of the selected lane
    std::function<Rich(uint32_t)> tip = {};
    std::function<Action(uint32_t)> click = {}; // an empty action: a click does nothing
};

// The steps of a warp as rows over its 32 lanes.
struct LaneSteps {
    struct Step {
        std::string name;  // at the left
        uint32_t mask = 0; // a bit for each lane that takes part; the other lanes are hollow
    };
    std::string id; // of the panel
    std::string title;
    std::vector<Step> steps;
    std::size_t now = 0;                                           // the current step
    std::function<void(const ViewScene&, std::size_t)> click = {}; // gets a step
};

// Shows the steps around the current one, as many as fit. Steps with the same lanes have the same colour. Marks "step N
// lanes".
Panel lane_steps(const Theme& theme, const LaneSteps& steps, const Box& box);

float lane_strip_height(const Theme& theme, float width);
// Returns the box of a lane, or nothing if the lanes have several rows.
std::optional<Box> lane_in_row(const Theme& theme, const Box& box, uint32_t lane);
Panel lane_strip(const Theme& theme, const LaneStrip& strip, const Box& box);

} // namespace viz
