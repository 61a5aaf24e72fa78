// The bits of one element's row and column, and of its place: which of them an XOR flips, and which are its bank.
#pragma once

#include "viz/marks.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

struct BitsPicture {
    const SharedTile& tile;
    const Theme& theme;
    Cell cell;
    Colour accent = 0; // of what is flipped
    Marks* marks = nullptr;
};

float bits_height(const Theme& theme);

void draw_bits(const BitsPicture& picture, const draw::Box& box);

} // namespace viz
