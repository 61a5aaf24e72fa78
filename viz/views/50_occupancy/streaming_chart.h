// What more resident warps buy, as it was measured: bytes from DRAM, with loads of 4, 8 and 16 bytes per thread.
#pragma once

#include "viz/view.h"

#include "viz/draw/draw.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <span>

namespace viz {

// Whether this GPU's was measured, or is shipped.
bool has_streaming(const Board* board);

// Three curves over the resident warps of an SM, and a line at those that each stage has. Fills the box; marks
// "streaming:WIDTH:WARPS".
void draw_streaming_chart(ViewFrame& frame, std::span<const OccupancyCase> cases, const draw::Box& box);

} // namespace viz
