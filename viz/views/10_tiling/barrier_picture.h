// What a barrier guards, in the tiling view: the cells of a shared tile.
#pragma once

#include "viz/analysis/barriers.h"
#include "viz/draw/matrix_picture.h"
#include "viz/marks.h"
#include "viz/theme.h"

namespace viz {

// Read, or overwritten, too early if the barrier were not there.
Colour early_read_colour(const Theme& theme);
Colour early_overwrite_colour(const Theme& theme);

void draw_races(ImDrawList* list, const MatrixFrame& frame, const BarrierRaces& races, uint8_t array,
                const Theme& theme, Marks* marks);

} // namespace viz
