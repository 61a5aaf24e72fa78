// The pipeline of a block as lanes of time: copies under way, waits and computation, one below the other.
#pragma once

#include "viz/analysis/pipeline.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/text/message.h"
#include "viz/theme.h"

#include <optional>
#include <string>

namespace viz {

struct PipelineLanes {
    const Pipeline& pipeline;
    double& first; // tick at the left edge; kept from frame to frame, follows the step when that leaves the picture
    const BlockOrder& order;
    uint32_t warp = 0;    // selected
    std::size_t step = 0; // of it
    const Theme& theme;
    Marks* marks = nullptr; // "copy of k-tile 1", "compute of k-tile 1", "now"; counted from 1, of what shows whole
};

// What is copied while what is computed, at this step and in all.
Messages pipeline_messages(const PipelineLanes& lanes);

float pipeline_height(const PipelineLanes& lanes);

// One ImGui item; returns the step of the selected warp at the place that is clicked or dragged over. What is under the
// mouse goes to `hint`.
std::optional<std::size_t> draw_pipeline(const PipelineLanes& lanes, const draw::Box& box, std::string& hint);

} // namespace viz
