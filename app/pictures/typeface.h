// The program's fonts as other programs know them.
#pragma once

#include <imgui.h>

#include <string_view>
#include <vector>

namespace app {

struct Typeface {
    std::string_view file, family, weight, instead; // instead: families to take where it is not installed
    float em = 1; // of a size that ImGui calls 1, which goes from the ascender to the descender
};

// Throws kernels::Error for a font that is not the program's.
const Typeface& typeface(std::string_view file);

// Words where ImGui would draw them: character by character, without kerning or ligatures.
struct Typeset {
    const Typeface* face = nullptr;
    float size = 0; // of the em
    ImVec2 start;   // on the baseline
    float width = 0;
    struct Character {
        char32_t code = 0;
        float x = 0; // where it begins
        int bytes = 0;
    };
    std::vector<Character> characters;
};

// Throws kernels::Error for a font that is not the program's.
Typeset typeset(const ImFont& font, ImVec2 left_top, std::string_view words);

} // namespace app
