// A line of source in the colours of its words.
#pragma once

#include "app/panels/source/highlight.h"
#include "viz/theme.h"

#include <imgui.h>

namespace app {

// In the window's monospaced letters, from character `start` on, which comes to `at`.
void draw_highlighted(const viz::Theme& theme, const SourceLine& line, ImVec2 at, std::size_t start = 0);

// The line without its indentation, for where it is cut off.
void whole_line_tooltip(const viz::Theme& theme, const SourceLine& line);

} // namespace app
