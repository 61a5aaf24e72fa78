// A stage in the occupancy view: the resources that it needs, the residency that results, and texts about both.
#pragma once

#include "viz/analysis/occupancy.h"
#include "viz/analysis/waits.h"
#include "viz/text/rich.h"
#include "viz/view.h"

namespace viz {

// The residency of one stage.
struct OccupancyCase {
    const StageColumn* stage = nullptr;
    // As recorded or typed. The register count is 0 if it is unknown and none was typed; `now` is then the residency
    // that the other limits allow.
    KernelNeeds needs;
    bool typed = false;
    uint32_t beyond = 0; // number of typed registers beyond the maximum per thread; `needs` then has the maximum
    // The register count is not from the recording but from a GPU that ran the same kernel.
    bool registers_of_gpu = false;
    Residency now;

    bool unknown() const { return needs.registers == 0 && !typed; }
};

// Returns the needs of a stage. The register count is that of the recording, otherwise of the same kernel on the
// board's GPU, otherwise 0.
OccupancyCase case_of_stage(const StageColumn& stage, const LadderFacts& ladder_facts);

// Updates `now` for these limits. Must be called when needs or limits change.
void fill_sm(const SmLimits& limits, OccupancyCase& one);

inline constexpr const char* limit_names[limit_count] = {"registers", "shared memory", "warps per SM", "blocks per SM"};

// Returns the case in one line.
Rich headline(const SmLimits& limits, const OccupancyCase& one);

// Describes what would allow one more block, or why no block can run.
Rich next_block_words(const SmLimits& limits, const OccupancyCase& one);
Rich registers_unknown_words();

// Describes how many blocks fit, what limits them, and the effect of other register counts.
Rich residency_words(const SmLimits& limits, const OccupancyCase& one);

// Returns the counters of the stage's largest counted launch if they include issued instructions per cycle, otherwise
// null.
const HardwareFigures* issue_figures(const LadderFacts& ladder_facts, const StageColumn& stage);

// Returns the number of blocks of the launch at another size with the same tiles.
uint64_t blocks_at(const recording::Recording& recording, const recording::Problem& problem);

// Returns the needs of the board's GPU, or nothing if its latency or bandwidth was not measured.
std::optional<DramNeeds> dram_needs(const LadderFacts& ladder_facts);

} // namespace viz
