// What the warps of each stage wait for, from the GPU's samples: a bar for each reason.
#pragma once

#include "viz/views/50_occupancy/occupancy_case.h"

#include "viz/analysis/counted.h"
#include "viz/figure/figure.h"

#include <span>

namespace viz {

// Returns the run of the stage with these parameters if its warps were sampled, otherwise null.
const CountedRun* sampled_run(const LadderFacts& ladder_facts, const StageColumn& stage);

bool has_waits(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases);

// Shows the most frequent reasons, all stages on one scale. A click goes to the next source line at which warps wait
// for that reason.
Panel waits_panel(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases, const Theme& theme,
                  const Box& box);

// Describes the most frequent waits of a stage, and their origin. Empty without samples.
Rich stage_wait_words(const LadderFacts& ladder_facts, const StageColumn& stage);

} // namespace viz
