// Draws a figure on a surface.
#pragma once

#include "viz/figure/painter.h"
#include "viz/view.h"

namespace viz {

// Returns the height of a heading of this width, including the gap below.
float heading_height(const Theme& theme, const Heading& heading, float width);

float title_height(const Theme& theme); // of a panel with a title
// Returns the box of the layers of a panel with a title.
Box below_title(const Theme& theme, const Box& box);
// Makes a panel that has words instead of a picture, such as why there is none.
Panel words_panel(std::string id, const Box& box, Rich words);

// Returns the name of a stage's mark for tests and files. In columns other than the first the name ends with the
// column's number.
std::string mark_of(const StageColumn& stage, std::string_view what);
// Returns the id of the stage's main panel: its slug, and the parameters that distinguish two columns of one stage.
std::string stage_panel(const StageColumn& stage);

// Makes the heading of a compared stage: its coloured square, its name, and its step if the stages are at different
// steps.
Heading stage_heading(const ViewScene& scene, const Theme& theme, const StageColumn& stage, Rich headline);

// Adds the headings of the compared stages and returns the boxes below them, one for each stage. All headings have the
// height of the highest one.
std::vector<Box> add_headings(Figure& figure, const ViewFrame& frame, const Box& box,
                              const std::function<Rich(const StageColumn&)>& headline_of);

// Adds the paragraphs about a stage, below its name if several stages are compared.
void explain_stage(Figure& figure, const ViewScene& scene, const StageColumn& stage, std::vector<Rich> paragraphs);

// Returns the part of a panel's box that is left for its layers, below title and legend. Used by layers that overlap at
// known positions.
Box layers_box(const Theme& theme, const Panel& panel);

// Draws all panels with titles and legends. Afterwards painter.hit() has the mark under the mouse.
void paint(Painter& painter, const Figure& figure);

// Draws a panel in the window as an ImGui item, shows the tip of the mark under the mouse and runs its actions.
void draw_panel(const Panel& panel, ViewFrame& frame);

// Draws the headings and all panels in the window.
void draw_figure(const Figure& figure, ViewFrame& frame);

} // namespace viz
