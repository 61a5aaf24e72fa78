// What a barrier guards, in the tiling view: a sentence, and the cells of a shared tile that it is about.
#pragma once

#include "viz/analysis/barriers.h"
#include "viz/draw/matrix_picture.h"
#include "viz/marks.h"
#include "viz/text/prose.h"

#include <optional>

namespace viz {

// Read, or overwritten, too early if the barrier were not there.
Colour early_read_colour(const Theme& theme);
Colour early_overwrite_colour(const Theme& theme);

// "Without this barrier warp 3 could read As(2, 5) ..." with the counts, or that nothing would break.
void say_races(Prose& prose, const recording::Recording& recording, const BarrierRaces& races,
               const std::optional<BlockBarriers::Summary>& summary);

void draw_races(ImDrawList* list, const MatrixFrame& frame, const BarrierRaces& races, uint8_t array,
                const Theme& theme, Marks* marks);

} // namespace viz
