// What two rungs execute, by kind or by the pipe that executes it, as bars on one scale: how much of it is arithmetic, and what
// the rest is for.
#pragma once

#include "viz/analysis/instruction_mix.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <array>
#include <cstdint>
#include <string>

namespace viz {

enum class MixKind : uint8_t { by_class, by_pipe };

struct MixPicture {
    ViewFrame& frame;
    MixKind kind;
    std::array<MixOfLaunch, 2> mixes; // both of that kind
    std::array<std::string, 2> slugs;
    float beside = 0; // width at the right of the title that is taken
};

// Below this it says nothing.
float mix_height(const Theme& theme);

// Fills the box's width. Marks "mix:PART 0" and "mix:PART 1", by column.
void draw_mix(const MixPicture& picture, const draw::Box& box);

} // namespace viz
