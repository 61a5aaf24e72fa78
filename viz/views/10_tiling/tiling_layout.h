// Where everything of the tiling view is drawn: it fills the box, and does not depend on the step.
#pragma once

#include "viz/draw/matrix_picture.h"

#include "recording/recording.h"

#include <cstdint>
#include <vector>

namespace viz {

struct TileFrame {
    uint8_t array = 0; // of the recording
    MatrixFrame frame;
};

struct TilingLayout {
    MatrixFrame operands[3]; // A, B, C
    draw::Box product{};     // above A, left of B; empty where there are no such
    std::vector<TileFrame> tiles;
};

// GEMM: A at the left, B above, C at the corner, the shared tiles at the right or below. Vectors: A, B and C side by side.
TilingLayout tiling_layout(const Theme& theme, const recording::Recording& recording, const draw::Box& box);

// A matrix's name, above it.
void draw_label(const Theme& theme, const MatrixFrame& matrix, const recording::Array& array);

} // namespace viz
