// The first row of a stage's part of a view.
#pragma once

#include "viz/draw/draw.h"
#include "viz/draw/prose.h"
#include "viz/text/message.h"
#include "viz/view.h"

namespace viz::draw {

// Of the stage's part of that row: its name, and its step in a race.
float stage_name_width(const ViewFrame& frame, const StageColumn& stage);
// Whether the headline has room beside that name, in so much width.
bool headline_is_beside(const ViewFrame& frame, const StageColumn& stage, const Message& headline, float width);
// The stage's name with its square of colour at the left, the headline at the right, or below where both are too wide.
// A headline has twelve words at most, its number coloured by what it says: amber for waste, green for its absence.
// Returns the height, with the gap below.
float stage_headline(ViewFrame& frame, const StageColumn& stage, const Message& headline, const Box& box);

// Where there is no picture: the stage's name and its idea.
Prose stage_heading(const Theme& theme, const StageColumn& stage);

} // namespace viz::draw
