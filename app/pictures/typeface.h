// The names of the program's fonts for other programs.
#pragma once

#include <imgui.h>

#include <set>
#include <string>
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

// Extracts from one of the program's fonts only the glyphs that a picture needs.

// Returns the subset as OpenType. Throws kernels::Error if the font is not the program's, or is damaged in this build.
std::string font_subset(std::string_view file, const std::set<char32_t>& characters);

} // namespace app
