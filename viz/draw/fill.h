// Fills large areas with one opaque colour at low cost.
#pragma once

#include "viz/theme.h"

#include <imgui.h>

#include <optional>

namespace viz::draw {

// Works like ImDrawList::AddRectFilled within the list's clip rectangle, for an opaque colour. It clears the pixels
// instead of sampling a texture and blending, which takes a quarter of the time in software rendering. Each call adds a
// draw command, so it pays off above some ten thousand pixels.
void fill_opaque(ImDrawList& list, ImVec2 min, ImVec2 max, Colour colour);

// The colour that the command of fill_opaque() gives to its clip rectangle; none: it is another command.
std::optional<Colour> opaque_fill(const ImDrawCmd& command);

} // namespace viz::draw
