// What two launches ask of global memory, and how fast they are: a pair of bars for each figure.
#pragma once

#include "viz/marks.h"
#include "viz/views/25_global/global_part.h"

namespace viz {

struct LaunchBars {
    const GlobalPart& first;
    const GlobalPart& second;
    const Theme& theme;
    draw::Box box;
    Marks* marks = nullptr;
};

float launch_bars_height(const Theme& theme);

// Says what the mouse is over.
std::optional<Message> draw_launch_bars(const LaunchBars& bars);

} // namespace viz
