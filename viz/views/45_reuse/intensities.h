// Arithmetic intensity at each level of memory: by formula, by recording, by the GPU's counters.
#pragma once

#include "viz/board.h"
#include "viz/text/message.h"
#include "viz/views/45_reuse/block_reuse.h"

namespace viz {

// FLOP per byte at each level, a line each; counted figures are of the largest launch that was counted. `rung` null: nothing
// is known of it.
Messages intensity_messages(const BlockReuse& block, const RungFigures* rung);

} // namespace viz
