// How long each stage takes beside the least that its bytes and its arithmetic would take, as bars on one scale of time.
#pragma once

#include "viz/views/55_roofline/chart_frame.h"

#include <vector>

namespace viz {

struct TimedFloor {
    const RungFigures* rung = nullptr; // has a speed
    Floor floor;
};

float floor_bars_height(const Theme& theme, const std::vector<TimedFloor>& stages);

// In the lower right corner of the box, where no stage can stand; nothing where it would take too much of it.
void draw_floor_bars(const ChartFrame& frame, const std::vector<TimedFloor>& stages, const draw::Box& box);

} // namespace viz
