// What the occupancy view says of a stage.
#pragma once

#include "viz/analysis/latency.h"
#include "viz/analysis/occupancy.h"
#include "viz/draw/draw.h"
#include "viz/draw/focus.h"

namespace viz {

inline constexpr uint32_t usual_registers = 32; // where nobody was asked: somewhere to start from

// A stage on the curves.
struct OccupancyCase {
    const Subject* subject = nullptr;
    RecordedNeeds recorded;
    KernelNeeds needs; // as recorded, or typed
    bool typed = false;
    Residency now;
};

// "An SM holds 2 blocks at once: 16 warps of 64, 25%. What limits it: registers. ..."
Prose residency_sentence(const Theme& theme, const SmLimits& limits, const OccupancyCase& one);

// A row for each limit: what it alone would allow, with the arithmetic. Returns the height.
float draw_limits(ImDrawList* list, const Theme& theme, const SmLimits& limits, const OccupancyCase& one,
                  const draw::Box& box);

// What the GPU counted of the stage at the largest size, where the launch itself does not count. Null: it did not.
const HardwareFigures* issue_figures(const Board* board, const Subject& subject);

// Of the GPU on the board; none where its latency or bandwidth were not measured.
std::optional<DramNeeds> dram_needs(const Board* board);

// What the resident warps buy: the bytes that they have under way against those that keep DRAM busy, with this GPU's
// measured latency and bandwidth, two bars, and what the GPU counted. Returns the height.
struct WaitingCase {
    const OccupancyCase& one;
    const std::optional<LoadsTogether>& together;
    const Board* board = nullptr;
    Marks* marks = nullptr;
};
float draw_waiting(ImDrawList* list, const Theme& theme, const WaitingCase& waiting, const draw::Box& box);

} // namespace viz
