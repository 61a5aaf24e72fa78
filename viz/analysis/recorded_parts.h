// What a block has read, as parts of tiles of C. Pure functions.
#pragma once

#include "viz/analysis/tile_work.h"

#include <optional>
#include <vector>

namespace viz {

// In the order in which it reads them; nothing where its reads do not tell them.
std::optional<std::vector<WorkPart>> recorded_parts(const recording::Recording& recording,
                                                    const recording::BlockTrace& block, const TileWork& work);

} // namespace viz
