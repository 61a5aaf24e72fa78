// Resident warps over one of a kernel's needs: the step curve of occupancy, with points on it.
#pragma once

#include "viz/draw/plot.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace viz {

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
    std::vector<StepCurve> curves; // the first is drawn last
    const Theme& theme;
    Marks* marks = nullptr;
};

// One ImGui item. Returns the value under the mouse; it is chosen while the button is held down.
struct ChartHit {
    uint32_t value = 0;
    bool chosen = false;
};
std::optional<ChartHit> draw_step_chart(const StepChart& chart, const draw::Box& box);

} // namespace viz
