// One amount of work in shapes from tall to flat: speed of every rung, and when splitting K pays.
#pragma once

#include "viz/text/message.h"
#include "viz/views/55_roofline/chart_frame.h"

#include <optional>
#include <string>

namespace viz {

struct PointedShape {
    std::string slug;
    Message words; // "warp_tile at 256 × 256 × 65536: 799 GFLOPS, 4 blocks"
};

bool has_shapes(const Board& board);

// Of a board that has shapes. One ImGui item; what is under the mouse.
std::optional<PointedShape> draw_shapes(const ChartFrame& frame, const draw::Box& box);

// When more blocks beat less work per block, in this GPU's numbers; or what to run.
Messages shapes_messages(const Board& board);

} // namespace viz
