// The working sets of a warp, a block and an SM in A and B, compared with the size of L1 and its counted hits.
#pragma once

#include "viz/figure/figure.h"
#include "viz/view.h"
#include "viz/views/45_reuse/block_reuse.h"

#include <span>

namespace viz {

// Adds two panels, one below the other. Requires at least one stage.
void add_working_set(Figure& figure, const ViewFrame& frame, std::span<const ReuseStage> stages, const Box& place);

} // namespace viz
