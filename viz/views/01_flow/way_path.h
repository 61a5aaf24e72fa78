// Along what a word moves between a matrix, a lane and memory.
#pragma once

#include "viz/analysis/ways.h"
#include "viz/views/01_flow/paint.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace viz {

struct Bezier {
    ImVec2 from, out, in, to;

    ImVec2 at(float t) const
    {
        const float s = 1 - t;
        const float a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
        return {a * from.x + b * out.x + c * in.x + d * to.x, a * from.y + b * out.y + c * in.y + d * to.y};
    }
};

// One curve; or two, where a lane asks for what goes from memory to memory: past its own place in the row.
struct WayPath {
    std::array<Bezier, 2> parts;
    std::size_t count = 1;

    ImVec2 at(float t) const
    {
        const float along = t * static_cast<float>(count);
        const std::size_t part = std::min(static_cast<std::size_t>(along), count - 1);
        return parts[part].at(along - static_cast<float>(part));
    }
};

// Nothing where an end of it is not shown.
std::optional<WayPath> way_path(const FlowPaint& paint, const Way& way);

} // namespace viz
