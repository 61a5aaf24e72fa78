// A stage on the curves of the occupancy view: what it needs of an SM, what then fits, and what is said of it.
#pragma once

#include "viz/analysis/latency.h"
#include "viz/analysis/occupancy.h"
#include "viz/text/rich.h"
#include "viz/view.h"

namespace viz {

struct OccupancyCase {
    const StageColumn* stage = nullptr;
    // As recorded, or typed; 0 registers where nobody knows them and none were typed. `now` then has what the other limits let in.
    KernelNeeds needs;
    bool typed = false;
    uint32_t beyond = 0;           // registers that were typed and no thread can have: `needs` then has the most
    bool registers_of_gpu = false; // not the recording says them, but what a GPU that ran the same kernel said
    Residency now;

    bool unknown() const { return needs.registers == 0 && !typed; }
};

// What the stage needs: registers as recorded, else as the board has them of the same kernel on a GPU, else 0.
OccupancyCase case_of_stage(const StageColumn& stage, const Board& board);

// `now` for these limits; call it where needs or limits changed.
void fill_sm(const SmLimits& limits, OccupancyCase& one);

inline constexpr const char* limit_names[limit_count] = {"registers", "shared memory", "warps per SM", "blocks per SM"};

// In one line.
Rich headline(const SmLimits& limits, const OccupancyCase& one);

// What would let one more block in, or why none can run.
Rich next_block_words(const SmLimits& limits, const OccupancyCase& one);
Rich registers_unknown_words();

// How many blocks fit, what limits them, and what other registers would change.
Rich residency_words(const SmLimits& limits, const OccupancyCase& one);

// What the GPU counted of the stage at the largest size, where the launch itself does not count. Null: it did not.
const HardwareFigures* issue_figures(const Board& board, const StageColumn& stage);

// Of the launch at another size, whose tiles are as large.
uint64_t blocks_at(const recording::Recording& recording, const recording::Problem& problem);

// Of the GPU on the board; none where its latency or bandwidth were not measured.
std::optional<DramNeeds> dram_needs(const Board& board);

} // namespace viz
