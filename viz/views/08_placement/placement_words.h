// What the placement view says of a launch.
#pragma once

#include "viz/analysis/placement.h"
#include "viz/text/prose.h"

#include <string>

namespace viz {

Prose waves_words(const Theme& theme, const recording::Recording& recording, const PlacementPicture& picture);
Prose balance_words(const Theme& theme, const recording::Recording& recording, const PlacementPicture& picture);
Prose wave_legend(const Theme& theme, const PlacementPicture& picture);
// "block (3,2), number 35, on SM 12: wave 2, 12.3 µs to 45.1 µs, 32.8 µs long"
std::string block_words(const recording::Recording& recording, const PlacedBlock& block);

} // namespace viz
