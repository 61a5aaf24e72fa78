// The numbers of shared tiles in what a probe has written down.
#pragma once

#include "recording/recording.h"

namespace recording {

// A block that computes one part of its work after another declares its tiles anew for each, and its probe numbers them on. They are
// the same tiles: each gets the number that it has in `arrays`, where the shared ones are neighbours.
void number_tiles(Recording& recording);

} // namespace recording
