// A, B and C with the block's tiles: what is loaded, what is worked on, whose results these are.
#pragma once

#include "viz/draw/matrix_picture.h"
#include "viz/marks.h"
#include "viz/theme.h"
#include "viz/views/10_tiling/tiling_facts.h"

#include <optional>
#include <utility>

namespace viz {

struct OperandsPicture {
    const TilingFacts& facts;
    const Theme& theme;
    Colour accent = 0;
    uint32_t warp = 0;
    std::optional<std::pair<uint32_t, uint32_t>> c; // selected element
    Marks* marks = nullptr;                         // "slice of A", "slice of B": what is loaded or worked on
};

// `array`: 0, 1, 2 for A, B, C.
void draw_operand(ImDrawList* list, const OperandsPicture& picture, const MatrixFrame& matrix, uint8_t array);

// What the elements of a shared tile hold now.
void draw_held_values(ImDrawList* list, const OperandsPicture& picture, const MatrixFrame& matrix, uint8_t array);

} // namespace viz
