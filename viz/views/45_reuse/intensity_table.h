// Arithmetic intensity at each level of memory: by formula, by recording, by the GPU's counters.
#pragma once

#include "viz/board.h"
#include "viz/draw/draw.h"
#include "viz/views/45_reuse/block_reuse.h"

namespace viz {

// FLOP per byte at each level, by formula, by recording and by the GPU's counters, of the largest launch that was counted.
// Returns its height. `rung` null: nothing is known of it.
float draw_intensities(ImDrawList* list, const Theme& theme, const BlockReuse& block, const RungFacts* rung,
                       const draw::Box& box);

} // namespace viz
