// An SM: four schedulers with their warp slots, filled by the resident blocks, and the resources that the blocks use up.
#pragma once

#include "viz/draw/draw.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <optional>

namespace viz {

struct SmPicture {
    ViewFrame& frame;
    const SmLimits& limits;
    const OccupancyCase& one;
    bool first = true;                // the first stage: its parts are marked
    std::optional<uint32_t>& pointed; // a resident block that is lit up; set by what the mouse is over
    std::optional<uint32_t> lit;      // the same of the frame before

    Marks* marks() const { return first ? frame.marks : nullptr; }
};

// A colour for each resident block: the stage's, lighter and darker in turn.
Colour block_colour(const SmPicture& picture, uint32_t block);

// Fills the box.
void draw_warp_slots(const SmPicture& picture, const draw::Box& box);

// A bar for each limit: the resident blocks, and the next one behind them, green where it fits, amber where it does not.
// Fills the box.
void draw_limit_bars(const SmPicture& picture, const draw::Box& box);

} // namespace viz
