// The names of the program's fonts for other programs.
#pragma once

#include <imgui.h>

#include <string_view>
#include <vector>

namespace app {

struct Typeface {
    std::string_view file, family, weight, instead; // instead: fallback families if the font is not installed
    float em = 1; // size of the em relative to ImGui's font size, which reaches from the ascender to the descender
};

// Returns the typeface of a font file. Throws kernels::Error for a font that is not the program's.
const Typeface& typeface(std::string_view file);

// Words at the position where ImGui would draw them: character by character, without kerning or ligatures.
struct Typeset {
    const Typeface* face = nullptr;
    float size = 0; // size of the em
    ImVec2 start;   // on the baseline
    float width = 0;
    struct Character {
        char32_t code = 0;
        float x = 0; // left edge
        int bytes = 0;
    };
    std::vector<Character> characters;
};

// Positions the words. Throws kernels::Error for a font that is not the program's.
Typeset typeset(const ImFont& font, ImVec2 left_top, std::string_view words);

} // namespace app
