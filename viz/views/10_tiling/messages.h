// What the tiling view says, by template (assets/text/tiling.md). Pure functions, but for the legend's colours.
#pragma once

#include "viz/analysis/guards.h"
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

// What the colours of the picture mean at this step.
std::vector<LegendItem> tiling_legend(const Theme& theme, const Subject& subject, const TilingFacts& facts);

Colour phase_colour(const Theme& theme, PhaseKind kind);

} // namespace viz
