// An SM: four schedulers with their warp slots, filled by the resident blocks, and the resources that the blocks use up.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <functional>
#include <optional>
#include <vector>

namespace viz {

struct SmFacts {
    const SmLimits& limits;
    const OccupancyCase& one;
    const Theme& theme;
    bool named = true;                   // its parts have names for tests and files: of the first stage
    std::optional<uint32_t> lit;         // a resident block that is lit up
    std::function<void(uint32_t)> point; // the mouse is over that block
};

// A panel for each scheduler, side by side.
std::vector<Panel> scheduler_panels(const SmFacts& facts, const Box& box);

// For each limit its name and a bar, one below the other: the resident blocks, and the next one behind them, green where it fits, amber
// where it does not. As many as have room, those that limit first.
std::vector<Panel> limit_panels(const SmFacts& facts, const Box& box);

} // namespace viz
