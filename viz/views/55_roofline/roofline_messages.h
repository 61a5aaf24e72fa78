// What the roofline view says of a stage.
#pragma once

#include "viz/board.h"
#include "viz/text/rich.h"

#include <optional>
#include <string>

namespace viz {

// By formula, by recording, by counter, and when every value moves once.
Rich intensity_words(const RungFigures& rung, const recording::Problem& problem);
Floor floor_of_rung(const RungFigures& rung, const recording::Problem& problem, const Ceilings& ceilings);
// How long it must take at least, and how long it takes.
Rich floor_words(const RungFigures& rung, const recording::Problem& problem, const Ceilings& ceilings);
// Where it stands under the roofs. `shared`: FLOP per byte of shared memory, where that is known.
Rich place_words(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared = {});
// The limit that it comes nearest to, and how near: 0..1. Nothing where it has no place, or no limit is known.
struct NearRoof {
    std::string name;
    double share = 0;
};
std::optional<NearRoof> near_roof(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared);
// The same in one line.
Rich nearest_roof(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared);
// Where speeds and ceilings come from.
Rich origin_words(const RungFigures& rung, const GpuState& gpu);

} // namespace viz
