// The registers of a thread as one bar: sums, fragments, the rest.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/draw/stage_part.h"

namespace viz {

// In the upper part of the stage's box. Returns the height; nothing where they are not known.
float draw_register_bar(const StagePart& part, const RegisterUse& use);

} // namespace viz
