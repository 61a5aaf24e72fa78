// The pipeline of a block as lanes of time: copies under way, waits and computation, one below the other.
#pragma once

#include "viz/analysis/pipeline.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/text/message.h"
#include "viz/theme.h"

#include <optional>
#include <string_view>

namespace viz {

struct PipelineLanes {
    const Pipeline& pipeline;
    double& first; // tick at the left edge; kept from frame to frame, follows the step when that leaves the picture
    const BlockOrder& order;
    uint32_t warp = 0;    // selected
    std::size_t step = 0; // of it
    const Theme& theme;
    float row = 0;                 // height; names and numbers are left out where it is lower than they are
    std::string_view output = "C"; // what the kernel writes
    bool product = true;           // else what are k-tiles there are rounds, and no warp has a part of its own
    bool computes = true;          // else what is computed there is only seen to be read, see viz::computes
    Marks* marks = nullptr; // "copy of k-tile 1", "compute of k-tile 1", "now"; counted from 1, of what shows whole
};

// What is copied while what is computed, at this step and in all.
Messages pipeline_messages(const PipelineLanes& lanes);

// The height of a row that lets all rows fit, at most that of a line of text.
float pipeline_row(const Pipeline& pipeline, const Theme& theme, float room);
float pipeline_height(const PipelineLanes& lanes);

// One ImGui item.
struct PipelinePointed {
    std::optional<std::size_t> step; // of the selected warp, at the place that is clicked or dragged over
    std::optional<Message> over;     // what is under the mouse
};
PipelinePointed draw_pipeline(const PipelineLanes& lanes, const draw::Box& box);

} // namespace viz
