// The two plots of the roofline view: stages under the ceilings, and speed over the size of the matrices.
#pragma once

#include "viz/board.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/text/prose.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// A stage with all that it takes to be a point.
struct RooflinePoint {
    const RungFacts* rung = nullptr;
    Intensity intensity;
    double gflops = 0;
    double most_intensity = 0; // if every value moved once
};

// What is emphasised: the stages shown, and the one under the mouse.
struct Emphasis {
    std::string first, second, pointed;
    Colour colour(const Theme& theme, const std::string& slug) const; // 0: none
};

// Those that multiply, and what is emphasised.
std::vector<RooflinePoint> points_of(const Board& board, const Emphasis& emphasis);

struct ChartFrame {
    const Board& board;
    const Ceilings& ceilings;
    const Emphasis& emphasis;
    const Theme& theme;
    Marks* marks = nullptr;
};

// Both are one ImGui item; they return the slug under the mouse, or nothing.
std::optional<std::string> draw_roofline(const ChartFrame& frame, const std::vector<RooflinePoint>& points,
                                         const draw::Box& box);
std::optional<std::string> draw_speeds(const ChartFrame& frame, const draw::Box& box);

// "■ L1 24 TB/s ..."
Prose legend_of(const Theme& theme, const Ceilings& ceilings);

// Whether a rung and the libraries are compared on FP32's scale or on the tensor cores'.
bool uses_tensor_cores(const RungFacts& rung);

} // namespace viz
