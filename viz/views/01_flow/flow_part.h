// One stage of the data path in one frame.
#pragma once

#include "viz/view.h"
#include "viz/views/01_flow/flow_facts.h"
#include "viz/views/01_flow/scene.h"

#include <cstdint>
#include <string>

namespace viz {

struct FlowPart {
    const ViewFrame& frame;
    const StageColumn& stage;
    Focus focus;
    const FlowFacts& facts;
    FlowScene scene;
    Motion motion;
    uint32_t lit_lanes = 0; // mask: the mouse is over them or over their words, so their ways stand out

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return theme().accent(stage.number); }
    uint32_t lane() const { return frame.selection.lane; }
    const recording::Recording& recording() const { return *focus.recording; }
    const recording::Access& access() const { return focus.access(); }
    // Of a mark: that of the first stage is the thing's alone.
    std::string name(const std::string& thing) const { return stage.number == 0 ? thing : thing + " of " + stage.slug; }
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

} // namespace viz
