// The occupancy view's other picture: what the warps of one SM do over time, few resident ones above many, on one clock.
#pragma once

#include "viz/view.h"
#include "viz/views/50_occupancy/warp_lanes.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

struct StageOverTime {
    std::optional<SmOverTime> few, many; // no few: it was watched with one number of warps only; no many: not at all
};

// Why there is nothing to show of this stage; empty where there is.
Messages why_not_over_time(const Board& board, const std::string& slug);

class OverTime {
public:
    // Below ImGui's cursor, in all the room there is. Call it only where there is something of the first stage.
    void draw(ViewFrame& frame);
    // The control that leads here and back, drawn as an ImGui item; whether it was pressed.
    static bool draw_switch(ViewFrame& frame, bool shown);
    ViewCommands commands(const std::function<bool()>& shown); // of the time, while it is shown

private:
    TimeWindow::Limits limits() const;
    void draw_stage(ViewFrame& frame, const StageColumn& stage, const StageOverTime& of, draw::Box box);
    void draw_panel(ViewFrame& frame, const StageColumn& stage, const SmOverTime& picture, const char* name,
                    const draw::Box& box);
    static std::string panel_title(const SmOverTime& picture, const StageColumn& stage, const Theme& theme, float room);
    void use_mouse(const draw::Box& box);

    double whole = 1; // cycles, of the longest
    TimeWindow time;
};

} // namespace viz
