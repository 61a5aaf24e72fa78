// The typefaces at each size of type, shared by visitors whose type has the same size: half a megabyte of characters
// each.
#pragma once

#include "viz/theme.h"

#include <map>
#include <memory>

struct ImFontAtlas;

namespace app {

// Characters of one size, and the fonts of a theme that uses them.
struct ShelvedFonts {
    std::shared_ptr<ImFontAtlas> atlas;
    viz::Theme theme; // of which the fonts count
};

class FontShelf {
public:
    // Gives the current ImGui context the typefaces at the theme's scale, and the theme its fonts. They last as long as
    // the result.
    std::shared_ptr<const ShelvedFonts> use(viz::Theme& theme);

private:
    std::map<float, std::weak_ptr<const ShelvedFonts>> by_scale_;
};

} // namespace app
