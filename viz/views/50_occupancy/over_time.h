// The second picture of the occupancy view: the warps of one SM over time, with few resident warps above many, on one
// clock.
#pragma once

#include "viz/analysis/warp_times.h"
#include "viz/draw/camera.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <functional>

namespace viz {

// Explains why the stage has no such picture; empty if it has one.
Rich why_not_over_time(const LadderFacts& ladder_facts, const std::string& slug);

Colour doing_colour(const Theme& theme, WarpDoing doing);

// The picture, with its visible time range.
class OverTime {
public:
    // Fills the box, including headings and legend. Requires data for the first stage.
    void add_to(Figure& figure, const ViewFrame& frame, const Box& box);
    ViewCommands commands(const std::function<bool()>& shown); // to zoom and move in time, while it is shown

private:
    TimeWindow::Limits limits() const;

    double whole = 1; // cycles of the longest launch
    TimeWindow time;
};

} // namespace viz
