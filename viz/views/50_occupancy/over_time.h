// The occupancy view's other picture: what the warps of one SM do over time, few resident ones above many, on one clock.
#pragma once

#include "viz/analysis/warp_times.h"
#include "viz/draw/time_window.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <functional>

namespace viz {

// Why there is nothing to show of this stage; empty where there is.
Rich why_not_over_time(const Board& board, const std::string& slug);

Colour doing_colour(const Theme& theme, WarpDoing doing);

class OverTime {
public:
    // In the box, with headings and legend. Call it only where there is something of the first stage.
    void add_to(Figure& figure, const ViewFrame& frame, const Box& box);
    ViewCommands commands(const std::function<bool()>& shown); // of the time, while it is shown

private:
    TimeWindow::Limits limits() const;

    double whole = 1; // cycles, of the longest
    TimeWindow time;
};

} // namespace viz
