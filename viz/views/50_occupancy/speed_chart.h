// Speed over resident warps, a point for each stage: that more warps are not more speed by themselves.
#pragma once

#include "viz/analysis/occupancy.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct WarpsAndSpeed {
    const RungFigures* rung = nullptr;
    uint32_t warps = 0; // that an SM holds
    double gflops = 0;
};

// Of the stages whose registers and speed are known, on the board's GPU. Nothing where that is not known.
std::vector<WarpsAndSpeed> warps_and_speeds(const Board& board);

// One ImGui item. Returns the stage that was clicked.
std::optional<std::string> draw_speed_chart(ViewFrame& frame, const std::vector<WarpsAndSpeed>& points,
                                            const draw::Box& box);

} // namespace viz
