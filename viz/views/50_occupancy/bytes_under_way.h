// What resident warps buy: the bytes that they have under way against those that keep DRAM busy.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <optional>

namespace viz {

struct WaitingCase {
    const OccupancyCase& of;
    const std::optional<LoadsTogether>& together;
    const Board& board;
    bool named = true; // its bars have names for tests and files: of the first stage
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
Rich waiting_words(const WaitingCase& waiting);

// Two bars, the longest of all stages `most` bytes long, below whether more would help. Of another GPU than the measured one it says
// so instead.
Panel waiting_panel(const Theme& theme, const WaitingCase& waiting, double most, const Box& box);
float waiting_height(const Theme& theme);

} // namespace viz
