// What the roofline view says of a stage.
#pragma once

#include "viz/board.h"
#include "viz/text/prose.h"

namespace viz {

// By formula, by recording, and when every value moves once.
Prose intensity_words(const Theme& theme, const RungFacts& rung, const recording::Problem& problem);
// How long it must take at least, and how long it takes.
Prose floor_words(const Theme& theme, const RungFacts& rung, const recording::Problem& problem,
                  const Ceilings& ceilings);
// Where it stands under the roofs.
Prose place_words(const Theme& theme, const RungFacts& rung, const Ceilings& ceilings);
// Where speeds and ceilings come from.
Prose origin_words(const Theme& theme, const RungFacts& rung, const GpuState& gpu);

} // namespace viz
