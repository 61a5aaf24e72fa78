// The embedded fonts at a scale, and Dear ImGui's colours and lengths from a theme.
#pragma once

#include "viz/theme.h"

namespace app {

// Replaces the fonts of the current ImGui context and sets them in the theme. The caller renews the texture.
void load_typefaces(viz::Theme& theme);

void apply_style(const viz::Theme& theme);

} // namespace app
