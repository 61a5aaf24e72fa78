// What resident warps buy: the bytes that they have under way against those that keep DRAM busy.
#pragma once

#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <optional>

namespace viz {

struct WaitingCase {
    const OccupancyCase& of;
    const std::optional<LoadsTogether>& together;
    const Board& board;
    Marks* marks = nullptr;
    uint32_t elsewhere =
        0; // the compute capability that was chosen, where the GPU that was measured has another one; else 0
};

// Of one SM. What the stage has is missing where its recording does not tell.
struct UnderWay {
    std::optional<double> has;
    double needed = 0; // 0: DRAM was not measured, or on another GPU than the chosen one
};
UnderWay bytes_under_way(const WaitingCase& waiting);

// With this GPU's measured latency and bandwidth, and what it counted.
Messages waiting_messages(const WaitingCase& waiting);

// Two bars, the longest of all stages `most` bytes long, and whether more would help. Fills the box; draws nothing where
// DRAM was not measured, and says so where it was on another GPU.
void draw_waiting(const Theme& theme, const WaitingCase& waiting, double most, const draw::Box& box);
float waiting_height(const Theme& theme);

} // namespace viz
