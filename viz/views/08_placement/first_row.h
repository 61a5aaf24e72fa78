// What stands above a picture of the placement view: the stage with its headline, and the view's buttons at the right.
#pragma once

#include "viz/draw/draw.h"
#include "viz/text/message.h"
#include "viz/view.h"

namespace viz {

// How much the buttons, with the gap before them, take at the right of the first row.
struct FirstRow {
    draw::Box box; // with what is below
    float taken = 0;
    draw::Box left() const { return {box.min, {box.max.x - taken, box.max.y}}; }
};

// Left of the buttons; below them, in the whole width, where the headline is too wide to stand beside the stage's name. Returns the height.
float draw_headline(ViewFrame& frame, const StageColumn& stage, const Message& said, const FirstRow& row);

// The stage, and why there is no picture of it.
void say_why(const ViewFrame& frame, const StageColumn& stage, const Message& why, const FirstRow& row);

} // namespace viz
