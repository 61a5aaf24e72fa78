// The table of what each limit of an SM alone would allow.
#pragma once

#include "viz/draw/draw.h"
#include "viz/views/50_occupancy/occupancy_case.h"

namespace viz {

// A row for each limit, with the arithmetic. Returns the height.
float draw_limits(ImDrawList* list, const Theme& theme, const SmLimits& limits, const OccupancyCase& one,
                  const draw::Box& box);

} // namespace viz
