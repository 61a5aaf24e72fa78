// Stages under the ceilings of the GPU: GFLOPS over FLOP per byte.
#pragma once

#include "viz/text/message.h"
#include "viz/views/55_roofline/chart_frame.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// A stage with all that it takes to be a point.
struct RooflinePoint {
    const RungFigures* rung = nullptr;
    Intensity intensity;
    double gflops = 0;
    double most_intensity = 0;                   // if every value moved once
    std::optional<double> shared_intensity = {}; // FLOP per byte of shared memory
    // The same as `intensity` had in other ways: by formula, and as a GPU counted what loads touch.
    std::optional<double> by_formula = {}, counted = {};
};

// Those that multiply, and what is emphasised.
std::vector<RooflinePoint> points_of(const Board& board, const Emphasis& emphasis);

// What is under the mouse: a stage, or what the roofs allow at that place.
struct RooflineHit {
    std::optional<std::string> slug;
    Message words;
};

struct RooflineDrawn {
    std::optional<RooflineHit> pointed;
    float lowest_arrow = 0; // how low one lies that says how few bytes would do; 0: there is none
};

// One ImGui item.
RooflineDrawn draw_roofline(const ChartFrame& frame, const std::vector<RooflinePoint>& points, const draw::Box& box);

} // namespace viz
