// Large areas of one opaque colour, the cheap way.
#pragma once

#include "viz/theme.h"

#include <imgui.h>

#include <optional>

namespace viz::draw {

// As ImDrawList::AddRectFilled, within the list's clip rectangle, for an opaque colour: the pixels are cleared, not sampled
// from a texture and blended. Software rendering needs a quarter of the time for it; the list gets one command more, so this
// is for areas of more than some ten thousand pixels.
void fill_opaque(ImDrawList& list, ImVec2 min, ImVec2 max, Colour colour);

// The colour that the command of fill_opaque() gives to its clip rectangle; none: it is another command.
std::optional<Colour> opaque_fill(const ImDrawCmd& command);

} // namespace viz::draw
