// Renumbers the shared tiles in a recorded trace.
#pragma once

#include "recording/recording.h"

namespace recording {

// A block that processes several parts of its work in turn declares its tiles again for each part, and its probe keeps
// counting. They are the same tiles: this gives each the number that it has in `arrays`, where the shared arrays are
// consecutive.
void number_tiles(Recording& recording);

} // namespace recording
