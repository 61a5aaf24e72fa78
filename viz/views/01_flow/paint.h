// Draws the parts of the data path on its scene.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/views/01_flow/flow_facts.h"
#include "viz/views/01_flow/scene.h"

#include <imgui.h>

namespace viz {

struct FlowPaint : StagePart {
    const Focus& focus;
    const FlowFacts& facts;
    const FlowScene& scene;
    Motion motion;
    uint32_t lit_lanes = 0; // mask: whose ways stand out, for the mouse is over them; 0: nobody's do
    ImDrawList* list = ImGui::GetWindowDrawList();

    const recording::Recording& recording() const { return *focus.recording; }
    // Of lanes that shared memory serves in several groups each group has its own.
    Colour lane_colour(uint32_t of) const
    {
        const auto together = static_cast<uint32_t>(facts.ways.group_lanes);
        return together < recording::warp_size ? theme().lane_group[of / together % 4] : accent();
    }
    Colour colour(const Way& way) const { return way.waits ? theme().warning : lane_colour(way.lane); }
    // Whether the words of the way have left its beginning, or arrived at its end.
    bool is_there(const Way& way, const WayEnd& end) const
    {
        const double along = motion.along(way.turn);
        return end == way.from ? along > 0 : along >= 1;
    }
};

void paint_operands(const FlowPaint& paint);
void paint_lanes(const FlowPaint& paint);
void paint_memory(const FlowPaint& paint);
void paint_ways(const FlowPaint& paint);
void paint_cost(const FlowPaint& paint); // what the step's turns were, beside what they are about

} // namespace viz
