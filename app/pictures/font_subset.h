// The part of one of the program's fonts that a picture needs: the glyphs of its characters and no others.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace app {

// As OpenType. Throws kernels::Error for a font that is not the program's, or one whose build is damaged.
std::string font_subset(std::string_view file, const std::set<char32_t>& characters);

} // namespace app
