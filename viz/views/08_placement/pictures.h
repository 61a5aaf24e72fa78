// Pictures of the placement view, as panels of a figure: blocks on SMs over time, C by blocks, and the parts of K.
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
Colour idle_colour(const Theme& theme); // an SM or slot without a block
// Colour of a block's part of a tile; quieter if the block computes the whole tile.
Colour work_colour(const Theme& theme, const WorkPart& part, bool whole);

// One launch as shown, with the actions of clicks and drags in its pictures. The figure's marks refer to it, so it must
// outlive them.
struct ShownLaunch {
    const PlacementSide& side;
    const StageColumn& stage;
    const Theme& theme;
    bool first = true;    // first of the compared launches; only its marks have names
    TimeWindow time = {}; // visible time, in nanoseconds
    double now = 0;       // time at which C is shown, in nanoseconds
    bool racing = false;  // with the other launch; the end of this launch is then labelled
    std::function<void(const ViewScene&, uint32_t)> select = {}; // takes a block, linear in the grid
    std::function<void(double)> move_to = {};                    // takes nanoseconds
    std::function<void(float, float)> use_wheel = {};            // takes the left and right pixel of a chart

    std::string named(const std::string& mark) const { return first ? mark : std::string(); }
};

// Adds all SMs over time, the selected SM with its slots, and the number of resident blocks.
void add_lanes(Figure& figure, const ShownLaunch& launch, const Box& box);

// Adds C by blocks: waiting, running or done at the current time, or coloured by SM if times are not known.
void add_map(Figure& figure, const ShownLaunch& launch, const Box& box);

// Adds the tiles of C, the parts of K of the tiles that are taken last, and lanes of blocks over completed k-tiles.
// `alone` also draws the alternative distribution. `most` is the minimum number of k-tiles that the width of the lanes
// represents.
void add_work(Figure& figure, const ShownLaunch& launch, bool alone, uint64_t most, const Box& box);

} // namespace viz
