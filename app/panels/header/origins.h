// How the numbers of the view were had: a glyph for each group of them, explained when it is pointed at.
#pragma once

#include "app/state/state.h"

namespace app {

float origins_width(const Snapshot& snapshot, const State& state);
void draw_origins(const Snapshot& snapshot, State& state); // behind what ImGui drew last

using Origin = viz::NumberOrigin;

// How such a number was had, in a sentence; `device`: the GPU's name, or where else it comes from.
std::string explained(Origin origin, std::string_view device);

// In ImGui's layout: the origin's mark and some words, at the right, as figures stand, or at the left.
void badge(State& state, Origin origin, std::string_view words, std::string_view device, bool right = true);

// Outside ImGui's layout: some words that end at `right_top`, after their origin's mark.
void badge_right(State& state, Origin origin, ImVec2 right_top, std::string_view words, std::string_view device);

// That in a tooltip and in the status line, where the pointer is over a mark.
void explain_origin(State& state, const std::string& words);

float badge_width(const viz::Theme& theme, std::string_view words);

} // namespace app
