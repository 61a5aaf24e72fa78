// Maps the reads of a recorded block to parts of tiles of C. Pure functions.
#pragma once

#include "viz/analysis/tile_work.h"

#include <optional>
#include <vector>

namespace viz {

// Returns the parts in the order in which the block reads them. Returns nothing if its reads do not determine them.
std::optional<std::vector<WorkPart>> recorded_parts(const recording::Recording& recording,
                                                    const recording::BlockTrace& block, const TileWork& work);

} // namespace viz
