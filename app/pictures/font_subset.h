// Extracts from one of the program's fonts only the glyphs that a picture needs.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace app {

// Returns the subset as OpenType. Throws kernels::Error if the font is not the program's, or is damaged in this build.
std::string font_subset(std::string_view file, const std::set<char32_t>& characters);

} // namespace app
