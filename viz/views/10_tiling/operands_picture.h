// A, B and C with the block's tiles: what is loaded, what is worked on, whose results these are, what a barrier guards.
#pragma once

#include "viz/draw/matrix_picture.h"
#include "viz/views/10_tiling/tiling_facts.h"

namespace viz {

// `array`: A, B or C. Marks "slice of A", "slice of B": what is loaded or worked on.
void draw_operand(const TilingPart& part, const MatrixFrame& matrix, uint8_t array);

// What the elements of a shared tile hold now.
void draw_held_values(const TilingPart& part, const MatrixFrame& matrix, uint8_t array);

// Which of them would be read, or overwritten, too early without the barrier of this step; nothing at any other.
void draw_races(const TilingPart& part, const MatrixFrame& matrix, uint8_t array);

} // namespace viz
