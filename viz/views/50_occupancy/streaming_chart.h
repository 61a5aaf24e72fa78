// What more resident warps buy, as it was measured: bytes from DRAM, with loads of 4, 8 and 16 bytes per thread.
#pragma once

#include "viz/view.h"

#include "viz/draw/draw.h"
#include "viz/views/50_occupancy/bytes_under_way.h"

#include <span>

namespace viz {

// Whether this GPU's was measured, or is shipped.
bool has_streaming(const Board& board);

// Three curves over the bytes that an SM has under way, and a line at those of each stage where they are known. Fills the box; marks
// "streaming:WIDTH:WARPS".
void draw_streaming_chart(ViewFrame& frame, std::span<const WaitingCase> cases, const draw::Box& box);

} // namespace viz
