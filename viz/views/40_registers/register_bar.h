// The registers of a thread as one bar: sums, fragments, the rest.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

namespace viz {

// Returns the height; nothing where they are not known.
float draw_register_bar(const RegisterUse& use, Colour accent, const Theme& theme, const draw::Box& box, Marks* marks);

} // namespace viz
