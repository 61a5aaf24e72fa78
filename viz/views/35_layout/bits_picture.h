// The bits of one element's row and column, and of its place: which of them an XOR flips, and which are its bank.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

float bits_height(const Theme& theme);

// Fills the box; what is flipped has the stage's colour.
void draw_bits(const StagePart& part, const SharedTile& tile, const Cell& cell, const draw::Box& box);

} // namespace viz
