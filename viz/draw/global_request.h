// What a step asks of global memory: the picture that stands where a kernel has no shared memory to show.
#pragma once

#include "viz/draw/draw.h"
#include "viz/draw/focus.h"
#include "viz/view.h"

namespace viz::draw {

// Of the selected step, or of the nearest one that goes to global memory: headline and picture fill the box, and the inspector
// says why no lane goes to shared memory. `focus` must have a warp.
void global_request(ViewFrame& frame, const StageColumn& stage, const Focus& focus, Box box);

} // namespace viz::draw
