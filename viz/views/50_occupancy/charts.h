// Charts of the occupancy view: the residency for other resource needs, measured DRAM bandwidth, and speed by resident
// warps.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/50_occupancy/bytes_under_way.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

// Resident warps as a step function of one of a kernel's needs, with a point for the stage.
struct StepCurve {
    Colour colour = 0;
    std::function<uint32_t(uint32_t)> warps; // at a value of the axis
    std::optional<uint32_t> value;           // position of the point; empty if unknown
};
// Resident warps by one of a kernel's needs.
struct StepChart {
    std::string title; // "registers per thread"
    uint32_t least = 0, most = 1, step = 1, tick = 1;
    uint32_t scale = 1; // values per unit of the axis labels: 1024 if they are KiB
    uint32_t most_warps = 64;
    std::vector<StepCurve> curves;                          // the first is drawn on top
    std::function<Rich(uint32_t)> tip;                      // takes a value
    std::function<void(const ViewScene&, uint32_t)> choose; // runs while the button is down
};
Panel step_chart(const StepChart& chart, const Box& box);

// Returns whether streaming measurements for this GPU exist, measured here or shipped.
bool has_streaming(const LadderFacts& ladder_facts);
// Shows the measured benefit of more resident warps: DRAM bandwidth by the bytes that an SM has in flight, for loads of
// 4, 8 and 16 bytes per thread. A vertical line marks each stage whose bytes in flight are known.
Panel streaming_chart(const LadderFacts& ladder_facts, std::span<const WaitingCase> cases, const Theme& theme,
                      const Box& box);

// The position of one rung in the speed chart.
struct WarpsAndSpeed {
    const StageFacts* rung = nullptr;
    uint32_t warps = 0; // that an SM holds
    double gflops = 0;
};
// Returns all stages with known registers and speeds, on the board's GPU. Returns nothing if that GPU is not known.
std::vector<WarpsAndSpeed> warps_and_speeds(const LadderFacts& ladder_facts);
// Shows speed by resident warps, with a point for each stage: more warps alone do not mean more speed.
Panel speed_chart(const ViewScene& scene, const std::vector<WarpsAndSpeed>& points, const Theme& theme, const Box& box);

} // namespace viz
