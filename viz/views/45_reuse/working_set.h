// What a warp, a block and an SM touch of A and B at a time, beside the size of L1 and what L1 had of it.
#pragma once

#include "viz/figure/figure.h"
#include "viz/view.h"
#include "viz/views/45_reuse/block_reuse.h"

#include <span>

namespace viz {

// Two panels, one below the other. At least one stage.
void add_working_set(Figure& figure, const ViewFrame& frame, std::span<const ReuseStage> stages, const Box& place);

} // namespace viz
