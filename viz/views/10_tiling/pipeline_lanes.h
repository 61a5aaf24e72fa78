// The pipeline of a block as lanes of time: copies under way, waits and computation, one below the other.
#pragma once

#include "viz/views/10_tiling/tiling_facts.h"

#include <optional>

namespace viz {

struct PipelineLanes {
    const TilingPart& part;
    float row = 0; // height; names and numbers are left out where it is lower than they are
};

// What is copied while what is computed, at this step and in all.
Messages pipeline_messages(const TilingPart& part);

// The height of a row that lets all rows fit, at most that of a line of text.
float pipeline_row(const Pipeline& pipeline, const Theme& theme, float room);
float pipeline_height(const PipelineLanes& lanes);

// One ImGui item. Marks "copy of k-tile 1", "compute of k-tile 1", counted from 1, of what shows whole; and "now".
struct PipelinePointed {
    std::optional<std::size_t> step; // of the selected warp, at the place that is clicked or dragged over
    std::optional<Message> over;     // what is under the mouse
};
PipelinePointed draw_pipeline(const PipelineLanes& lanes, const draw::Box& box);

} // namespace viz
