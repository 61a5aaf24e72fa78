// What the tiling view says, by template (assets/text/tiling.md). Pure functions, but for the phases' colours.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/views/10_tiling/product_picture.h"
#include "viz/views/10_tiling/tiling_facts.h"

#include <string>

namespace viz {

// Which phase this is and what it moves.
Messages phase_messages(const Focus& focus, const TilingFacts& facts);

// What could happen too early without the barrier, and what all barriers of the block guard.
Messages race_messages(const recording::Recording& recording, const BarrierRaces& races,
                       const std::optional<BlockBarriers::Summary>& summary);

// Which access is lit, and which lanes take part in it.
Messages access_messages(const Focus& focus);

// What the lane does in this access.
Message lane_message(const std::string& stage, const Focus& focus, const TilingFacts& facts, uint32_t lane);

// What the lanes outside the matrices do, or how to see some.
Message edge_message(const GuardUse& use);

// What the picture of an inner or an outer product means for the thread.
Message product_message(const ThreadProduct& product, ProductKind kind);

// The one line above the picture.
Message headline(const TilingFacts& facts);

Colour phase_colour(const Theme& theme, PhaseKind kind);

} // namespace viz
