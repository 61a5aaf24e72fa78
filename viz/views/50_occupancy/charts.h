// The charts of the occupancy view: what other needs would let in, what was measured of DRAM, and speed over resident warps.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/50_occupancy/bytes_under_way.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

// Resident warps over one of a kernel's needs: a curve of steps, with a point where each stage is.
struct StepCurve {
    Colour colour = 0;
    std::function<uint32_t(uint32_t)> warps; // at a value of the axis
    std::optional<uint32_t> value;           // where the point is; none: nobody knows
};
struct StepChart {
    std::string title; // "registers per thread"
    uint32_t least = 0, most = 1, step = 1, tick = 1;
    uint32_t scale = 1; // values for each 1 that the axis says: 1024 where it says KiB
    uint32_t most_warps = 64;
    std::vector<StepCurve> curves;                          // the first on top
    std::function<Rich(uint32_t)> tip;                      // of a value
    std::function<void(const ViewScene&, uint32_t)> choose; // while the button is down
};
Panel step_chart(const StepChart& chart, const Box& box);

// Whether this GPU's streaming was measured, or is shipped.
bool has_streaming(const Board& board);
// What more resident warps buy, as it was measured: bytes from DRAM over the bytes that an SM has under way, with loads of 4, 8 and 16
// bytes per thread, and a line at those of each stage where they are known.
Panel streaming_chart(const Board& board, std::span<const WaitingCase> cases, const Theme& theme, const Box& box);

struct WarpsAndSpeed {
    const RungFigures* rung = nullptr;
    uint32_t warps = 0; // that an SM holds
    double gflops = 0;
};
// Of the stages whose registers and speed are known, on the board's GPU. Nothing where that is not known.
std::vector<WarpsAndSpeed> warps_and_speeds(const Board& board);
// Speed over resident warps, a point for each stage: that more warps are not more speed by themselves.
Panel speed_chart(const ViewScene& scene, const std::vector<WarpsAndSpeed>& points, const Theme& theme, const Box& box);

} // namespace viz
