// Axes around the area of a chart: ticks with their numbers, and titles. Within viz/figure only.
#pragma once

#include "viz/figure/painter.h"

namespace viz {

// The area that is left of a box for axes with these ticks and titles.
Box chart_area(const Painter& painter, const Axis& right, const Axis& up, const Box& box);

// On the area's own ground: a line at each tick, a number where it has room.
void paint_axes(Painter& painter, const Scale& right, const Scale& up, const Box& box, const Box& area);

// Lines down at the ticks of an axis to the right, with numbers below `area` as far as `within` reaches.
void paint_ticks_below(Painter& painter, const Scale& scale, const Box& area, const Box& within);

} // namespace viz
