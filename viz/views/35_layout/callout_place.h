// Where words have room in a picture beside what they speak of.
#pragma once

#include "viz/draw/draw.h"

#include <span>

namespace viz {

// The left upper corner of words of that size: below all that they speak of, or above it, or in a corner of the picture, where they
// hide the fewest of those. `margin`: that is kept free around them.
ImVec2 callout_place(ImVec2 size, float margin, const draw::Box& picture, std::span<const draw::Box> spoken_of);

} // namespace viz
