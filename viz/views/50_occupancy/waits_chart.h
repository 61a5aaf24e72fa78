// What the warps of each stage wait for, as the GPU's samples say it: a bar for each reason.
#pragma once

#include "viz/views/50_occupancy/occupancy_case.h"

#include "viz/analysis/counted.h"
#include "viz/draw/draw.h"

#include <span>

namespace viz {

// Of the stage with these parameters, where its warps were looked at; else null.
const CountedRun* sampled_run(const Board& board, const StageColumn& stage);

bool has_waits(const Board& board, std::span<const OccupancyCase> cases);

// The most frequent reasons, as many as there is room for, all stages on one scale. Fills the box; marks "waits:STATE SLUG".
void draw_waits_chart(ViewFrame& frame, std::span<const OccupancyCase> cases, const draw::Box& box);

// What a stage's warps wait for most, and how that is known. Empty where nobody looked.
Messages stage_wait_messages(const Board& board, const StageColumn& stage);

} // namespace viz
