// Where the matrices, the lanes and the shared tiles of the tiling view are drawn.
#pragma once

#include "viz/draw/matrix_picture.h"

#include "recording/recording.h"

#include <vector>

namespace viz {

struct TilingLayout {
    MatrixFrame operands[3]; // A, B, C
    draw::Box side;          // for the lanes and the shared tiles
};

// GEMM: A at the left, B above, C at the corner. Vectors: A, B and C side by side.
TilingLayout tiling_layout(const Theme& theme, const recording::Recording& recording, const draw::Box& box);

// Height of a matrix's name above it.
float label_height(const Theme& theme);
void draw_label(ImDrawList* list, const Theme& theme, const MatrixFrame& matrix, const recording::Array& array);

// The shared tiles, as indices into the recording's arrays.
std::vector<uint8_t> tiles_of(const recording::Recording& recording);

// Whether the tiles go below each other; others go side by side.
bool tiles_stacked(const recording::Recording& recording, float width, float height);

} // namespace viz
