// Shows the origin of the view's numbers: one mark per group of numbers, with a tooltip.
#pragma once

#include "app/panels/state.h"

namespace app {

float origins_width(const Snapshot& snapshot, const State& state);
void draw_origins(const Snapshot& snapshot, State& state); // to the right of ImGui's last item

using Origin = viz::NumberOrigin;

// Returns a sentence on how such a number was obtained. `device` is the GPU's name or another source.
std::string explained(Origin origin, std::string_view device);

// Draws the origin's mark and some words in ImGui's layout, right-aligned like figures or left-aligned.
void badge(State& state, Origin origin, std::string_view words, std::string_view device, bool right = true);

// Draws the origin's mark and some words outside ImGui's layout, ending at `right_top`.
void badge_right(State& state, Origin origin, ImVec2 right_top, std::string_view words, std::string_view device);

// Shows the words in a tooltip and in the status line.
void explain_origin(State& state, const std::string& words);

float badge_width(const viz::Theme& theme, std::string_view words);

} // namespace app
