// Stages under the ceilings of the GPU: GFLOPS over FLOP per byte.
#pragma once

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
};

// Those that multiply, and what is emphasised.
std::vector<RooflinePoint> points_of(const Board& board, const Emphasis& emphasis);

// One ImGui item; returns the slug under the mouse, or nothing.
std::optional<std::string> draw_roofline(const ChartFrame& frame, const std::vector<RooflinePoint>& points,
                                         const draw::Box& box);

} // namespace viz
