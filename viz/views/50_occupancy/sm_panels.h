// An SM: four schedulers with their warp slots, filled by the resident blocks, and the resources that the blocks use.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <functional>
#include <optional>
#include <vector>

namespace viz {

// The input of the panels.
struct SmFacts {
    const SmLimits& limits;
    const OccupancyCase& one;
    const Theme& theme;
    bool named = true;                   // the parts have names for tests and files; true for the first stage
    std::optional<uint32_t> lit;         // the highlighted resident block
    std::function<void(uint32_t)> point; // runs while the mouse is over that block
};

// Returns a panel for each scheduler, side by side.
std::vector<Panel> scheduler_panels(const SmFacts& facts, const Box& box);

// Returns for each limit a panel with its name and a bar, one below another: the resident blocks, followed by the next
// block, green if it fits and amber if it does not. Returns as many as fit, the tightest limits first.
std::vector<Panel> limit_panels(const SmFacts& facts, const Box& box);

} // namespace viz
