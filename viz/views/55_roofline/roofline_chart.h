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
    const RungFacts* rung = nullptr;
    Intensity intensity;
    double gflops = 0;
    double most_intensity = 0; // if every value moved once
};

// Those that multiply, and what is emphasised.
std::vector<RooflinePoint> points_of(const Board& board, const Emphasis& emphasis);

// One ImGui item; returns the slug under the mouse, or nothing.
std::optional<std::string> draw_roofline(const ChartFrame& frame, const std::vector<RooflinePoint>& points,
                                         const draw::Box& box);

// The bandwidths in their colours, and what the marks mean.
Messages roof_legend(const Theme& theme, const Ceilings& ceilings);

} // namespace viz
