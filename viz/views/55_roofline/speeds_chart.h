// Speed over the size of the matrices, of every rung and of cuBLAS.
#pragma once

#include "viz/views/55_roofline/chart_frame.h"

#include <optional>
#include <string>

namespace viz {

// One ImGui item; returns the slug under the mouse, or nothing.
std::optional<std::string> draw_speeds(const ChartFrame& frame, const draw::Box& box);

} // namespace viz
