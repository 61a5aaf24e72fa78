// What resident warps buy: the bytes that they have under way against those that keep DRAM busy.
#pragma once

#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <optional>

namespace viz {

struct WaitingCase {
    const OccupancyCase& one;
    const std::optional<LoadsTogether>& together;
    const Board* board = nullptr;
    Marks* marks = nullptr;
};

// With this GPU's measured latency and bandwidth, and what it counted.
Messages waiting_messages(const WaitingCase& waiting);

// The same and two bars. Returns the height.
float draw_waiting(ImDrawList* list, const Theme& theme, const WaitingCase& waiting, const draw::Box& box);

} // namespace viz
