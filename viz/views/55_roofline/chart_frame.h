// What the three plots of the roofline view share: the stages, which of them stand out, and in which colour.
#pragma once

#include "viz/board.h"
#include "viz/draw/plot.h"

#include <string>

namespace viz {

// What is emphasised: the stages shown, and the one under the mouse.
struct Emphasis {
    std::string first, second, third, pointed;
    Colour colour(const Theme& theme, const std::string& slug) const; // 0: none
};

struct ChartFrame {
    const Board& board;
    const Ceilings& ceilings;
    const Emphasis& emphasis;
    const Theme& theme;
    Marks* marks = nullptr;
};

// Whether what multiplies elements of a type is compared on FP32's scale or on the tensor cores'.
bool uses_tensor_cores(const std::string& type);

// The same of the chosen stage.
bool shows_tensor_cores(const ChartFrame& frame);

} // namespace viz
