// What a person has arranged in the view of layouts, as words: "tile=As;places=padded;padding=3;element=5,76". A formula is the
// last of them, for it may hold anything.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/mapping.h"

#include <optional>
#include <string>
#include <string_view>

namespace viz {

struct Arrangement {
    std::string tile; // empty: that of the current access
    Mapping mapping;
    std::optional<Cell> element;
};

std::string text_of(const Arrangement& arrangement); // what is at its default is left out

// What text_of() wrote; a word that it does not know, or a number that cannot be, is left out.
Arrangement arrangement_of(std::string_view words);

} // namespace viz
