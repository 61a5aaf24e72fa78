// Loads the embedded fonts at a scale, and sets Dear ImGui's colors and lengths from a theme.
#pragma once

#include "viz/theme.h"

namespace app {

// Replaces the fonts of the current ImGui context and sets them in the theme. `snaps` aligns characters to whole
// pixels; otherwise they keep the font's exact positions. The caller must update the font texture.
void load_typefaces(viz::Theme& theme, bool snaps = true);

void apply_style(const viz::Theme& theme);

} // namespace app
