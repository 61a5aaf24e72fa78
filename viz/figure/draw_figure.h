// Puts a figure on a surface.
#pragma once

#include "viz/figure/painter.h"
#include "viz/view.h"

namespace viz {

// With the gap below. `width`: that it has.
float heading_height(const Theme& theme, const Heading& heading, float width);

// What tests and files find a stage's mark or panel by: of other stages than the first one, the name has their number.
std::string mark_of(const StageColumn& stage, std::string_view what);
std::string stage_panel(
    const StageColumn& stage); // of its main picture: its name, and the parameters that tell it from another

// Of a stage that is compared: its square of colour, its name, and its step where stages race.
Heading stage_heading(const ViewScene& scene, const Theme& theme, const StageColumn& stage, Rich headline);

// Columns for the stages that are compared, below their headings. All headings are as high as the highest.
std::vector<Box> add_headings(Figure& figure, const ViewFrame& frame, const Box& box,
                              const std::function<Rich(const StageColumn&)>& headline_of);

// What is left of a panel's box for its layers, below title and legend: for layers that lie over one another at known places.
Box layers_box(const Theme& theme, const Panel& panel);

// All of its panels, with titles and legends. What the mouse is over is in painter.hit() afterwards.
void paint(Painter& painter, const Figure& figure);

// In the window: an item for it; shows what the mouse is over and does what a click there means.
void draw_panel(const Panel& panel, ViewFrame& frame);

// The same for all panels, below their headings.
void draw_figure(const Figure& figure, ViewFrame& frame);

} // namespace viz
