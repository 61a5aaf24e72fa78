// What the warps of each stage wait for, as the GPU's samples say it: a bar for each reason.
#pragma once

#include "viz/views/50_occupancy/occupancy_case.h"

#include "viz/analysis/counted.h"
#include "viz/figure/figure.h"

#include <span>

namespace viz {

// Of the stage with these parameters, where its warps were looked at; else null.
const CountedRun* sampled_run(const Board& board, const StageColumn& stage);

bool has_waits(const Board& board, std::span<const OccupancyCase> cases);

// The most frequent reasons, all stages on one scale; a click goes to the next line where warps wait for that.
Panel waits_panel(const Board& board, std::span<const OccupancyCase> cases, const Theme& theme, const Box& box);

// What a stage's warps wait for most, and how that is known. Empty where nobody looked.
Rich stage_wait_words(const Board& board, const StageColumn& stage);

} // namespace viz
