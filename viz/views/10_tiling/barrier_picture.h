// What a barrier guards, in the tiling view: the cells of a shared tile.
#pragma once

#include "viz/analysis/barriers.h"
#include "viz/draw/matrix_picture.h"
#include "viz/marks.h"
#include "viz/theme.h"

namespace viz {

void draw_races(ImDrawList* list, const MatrixFrame& frame, const BarrierRaces& races, uint8_t array,
                const Theme& theme, Marks* marks);

} // namespace viz
