// The program's fonts as other programs know them.
#pragma once

#include <string_view>

namespace app {

struct Typeface {
    std::string_view file, family, weight, instead; // instead: families to take where it is not installed
    float em = 1; // of a size that ImGui calls 1, which goes from the ascender to the descender
};

// Throws kernels::Error for a font that is not the program's.
const Typeface& typeface(std::string_view file);

} // namespace app
