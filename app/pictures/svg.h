// A drawing as SVG: shapes as shapes, words as words that can be searched and selected.
#pragma once

#include "app/pictures/drawing.h"

#include <optional>
#include <string>

namespace app {

struct SvgLook {
    std::string title;
    std::optional<ImU32> background; // none: transparent
    // Distinguishes the ids of several drawings in one page.
    std::string prefix;
};

std::string svg_of(const Drawing& drawing, const SvgLook& look);

} // namespace app
