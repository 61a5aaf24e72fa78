// Shares fonts among visitors with the same font size, because the characters of one size take half a megabyte.
#pragma once

#include "viz/theme.h"

#include <map>
#include <memory>

struct ImFontAtlas;

namespace app {

// The characters of one font size, and a theme with the fonts that use them.
struct ShelvedFonts {
    std::shared_ptr<ImFontAtlas> atlas;
    viz::Theme theme; // only its fonts are used
};

class FontShelf {
public:
    // Sets the fonts for the theme's scale in the current ImGui context and in the theme. They are valid as long as the
    // result exists.
    std::shared_ptr<const ShelvedFonts> use(viz::Theme& theme);

private:
    std::map<float, std::weak_ptr<const ShelvedFonts>> by_scale_;
};

} // namespace app
