// What two rungs execute by kind, as bars on one scale: how much of it is arithmetic, and what the rest is for.
#pragma once

#include "viz/analysis/counted.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <array>
#include <string>

namespace viz {

struct MixPicture {
    ViewFrame& frame;
    std::array<const CountedRun*, 2> runs; // none is null
    std::array<std::string, 2> slugs;
};

// Below this it says nothing.
float mix_height(const Theme& theme);

// Fills the box's width. Marks "mix:CLASS first" and "mix:CLASS second".
void draw_mix(const MixPicture& picture, const draw::Box& box);

} // namespace viz
