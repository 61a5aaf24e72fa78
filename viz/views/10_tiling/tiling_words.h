// The sentences of the tiling view.
#pragma once

#include "viz/analysis/guards.h"
#include "viz/views/10_tiling/tiling_facts.h"

#include <string>

namespace viz {

// The lesson: which phase this is and what it moves, with the stage's own numbers.
Prose tiling_sentence(const Theme& theme, const Focus& focus, const TilingFacts& facts);

// Which access is lit, and which lanes take part in it.
Prose access_sentence(const Theme& theme, const Focus& focus);

// What the colours of the picture mean at this step.
Prose tiling_legend(const Theme& theme, const Subject& subject, const TilingFacts& facts);

// "vectorized: block (0,0), warp 0, lane 13 reads As(1, 6), which holds A(6, 1)."
std::string lane_words(const Subject& subject, const Focus& focus, const TilingFacts& facts, uint32_t lane);

Colour phase_colour(const Theme& theme, PhaseKind kind);

// What the lanes outside of the matrices do, or how to see some.
Message edge_message(const GuardUse& use);

} // namespace viz
