// Draws a figure on a surface.
#pragma once

#include "viz/figure/painter.h"
#include "viz/view.h"

namespace viz {

// Returns the height of a heading at this width, including the gap below.
float heading_height(const Theme& theme, const Heading& heading, float width);

float title_height(const Theme& theme); // of the title line
// Returns the box that the title leaves for a panel's layers.
Box below_title(const Theme& theme, const Box& box);
// Makes a panel with words instead of a picture, such as the reason why there is none.
Panel words_panel(std::string id, const Box& box, Rich words);

// Returns the name of a stage's mark for tests and files. It ends with the column's number, except in the first column.
std::string mark_of(const StageColumn& stage, std::string_view what);
// Returns the id of the stage's main panel: its slug, with the parameters if two columns show the same stage.
std::string stage_panel(const StageColumn& stage);

// Makes the heading of a compared stage: a coloured square, its name, and its step if the stages are at different
// steps.
Heading stage_heading(const ViewScene& scene, const Theme& theme, const StageColumn& stage, Rich headline);

// Adds the headings of the compared stages, all equally high. Returns the boxes below them.
std::vector<Box> add_headings(Figure& figure, const ViewFrame& frame, const Box& box,
                              const std::function<Rich(const StageColumn&)>& headline_of);

// Adds paragraphs about a stage to the inspector, with its name above them if several stages are compared.
void explain_stage(Figure& figure, const ViewScene& scene, const StageColumn& stage, std::vector<Rich> paragraphs);

// Returns the box of a panel's layers, below title and legend. For layers that overlap at known positions.
Box layers_box(const Theme& theme, const Panel& panel);

// Draws all panels with titles and legends. painter.hit() is then the mark under the mouse.
void paint(Painter& painter, const Figure& figure);

// Draws a panel as an ImGui item, shows the tip of the mark under the mouse, and runs its actions.
void draw_panel(const Panel& panel, ViewFrame& frame);

// Draws the headings and all panels in the window.
void draw_figure(const Figure& figure, ViewFrame& frame);

} // namespace viz
