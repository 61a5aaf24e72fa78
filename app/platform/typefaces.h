// The embedded fonts at a scale, and Dear ImGui's colours and lengths from a theme.
#pragma once

#include "viz/theme.h"

namespace app {

// Replaces the fonts of the current ImGui context and sets them in the theme.
// `snaps`: characters begin at whole pixels, else where the font has them. The caller renews the texture.
void load_typefaces(viz::Theme& theme, bool snaps = true);

void apply_style(const viz::Theme& theme);

} // namespace app
