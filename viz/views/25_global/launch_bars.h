// What two launches ask of global memory, and how fast they are: a pair of bars for each figure.
#pragma once

#include "viz/views/25_global/global_part.h"

namespace viz {

float launch_bars_height(const Theme& theme);

// Fills the box, and says what the mouse is over.
void draw_launch_bars(ViewFrame& frame, const GlobalPart& first, const GlobalPart& second, const draw::Box& box);

} // namespace viz
