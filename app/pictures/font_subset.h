// The part of one of the program's fonts that a picture needs: its other characters are empty, all numbers of glyphs stay. Read by
// whatever reads OpenType.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace app {

// As WOFF 1.0. Throws kernels::Error for a font that is not the program's, or one whose build is damaged.
std::string woff_of(std::string_view file, const std::set<char32_t>& characters);

} // namespace app
