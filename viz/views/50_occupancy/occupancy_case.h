// A stage on the curves of the occupancy view: what it needs of an SM, what then fits, and what is said of it.
#pragma once

#include "viz/analysis/latency.h"
#include "viz/analysis/occupancy.h"
#include "viz/text/message.h"
#include "viz/view.h"

namespace viz {

inline constexpr uint32_t usual_registers = 32; // assumed where the recording does not say how many there are

struct OccupancyCase {
    const ShownStage* stage = nullptr;
    RecordedNeeds recorded;
    KernelNeeds needs; // as recorded, or typed
    bool typed = false;
    Residency now;
};

inline constexpr const char* limit_names[limit_count] = {"registers", "shared memory", "warps per SM", "blocks per SM"};

// In one line.
Message headline(const SmLimits& limits, const OccupancyCase& one);

// What would let one more block in, or why none can run.
Message next_block_message(const SmLimits& limits, const OccupancyCase& one);

// How many blocks fit, what limits them, and what other registers would change.
Messages residency_messages(const SmLimits& limits, const OccupancyCase& one);

// What the GPU counted of the stage at the largest size, where the launch itself does not count. Null: it did not.
const HardwareFigures* issue_figures(const Board* board, const ShownStage& stage);

// Of the launch at another size, whose tiles are as large.
uint64_t blocks_at(const recording::Recording& recording, const recording::Problem& problem);

// Of the GPU on the board; none where its latency or bandwidth were not measured.
std::optional<DramNeeds> dram_needs(const Board* board);

} // namespace viz
