// The pictures of the placement view, as panels of a figure: blocks on SMs over time, C block by block, and the parts of K.
#pragma once

#include "viz/draw/time_window.h"
#include "viz/figure/figure.h"
#include "viz/views/08_placement/facts.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace viz {

Colour wave_colour(const Theme& theme, uint32_t wave);
Colour idle_colour(const Theme& theme); // of an SM or a place without a block
// Of a block's part of a tile; quieter where the block has the tile for itself.
Colour work_colour(const Theme& theme, const WorkPart& part, bool whole);

// One launch as it is shown, and what clicks and drags in its pictures do. The figure's marks refer to it: it must live as long.
struct ShownLaunch {
    const PlacementSide& side;
    const StageColumn& stage;
    const Theme& theme;
    bool first = true;    // of those compared: its marks are those that tests find
    TimeWindow time = {}; // in sight, in nanoseconds
    double now = 0;       // nanoseconds: C is shown at this time
    bool racing = false;  // with the other launch: where it ends is named
    std::function<void(const ViewScene&, uint32_t)> select = {}; // a block, linear in the grid
    std::function<void(double)> move_to = {};                    // nanoseconds
    std::function<void(float, float)> use_wheel = {};            // over a chart from one pixel to another

    std::string named(const std::string& mark) const { return first ? mark : std::string(); }
};

// All SMs over the time, below it the selected SM with its slots, and how many blocks are resident.
void add_lanes(Figure& figure, const ShownLaunch& launch, const Box& box);

// C block by block: at one time of the launch waiting, running or done; where times are not known, by the SM that had it.
void add_map(Figure& figure, const ShownLaunch& launch, const Box& box);

// The tiles of C, the tiles that are taken last with their parts of K, and the places where blocks run over k-tiles done.
// `alone`: how it would be otherwise is drawn, too. `most`: k-tiles that the width of the lanes stands for, at least.
void add_work(Figure& figure, const ShownLaunch& launch, bool alone, uint64_t most, const Box& box);

} // namespace viz
