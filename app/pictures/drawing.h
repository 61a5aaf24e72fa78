// What Dear ImGui drew in a frame, as shapes and words instead of triangles: what a file of vectors is written of. No view knows
// of it. ImGui's draw data has all that is needed: it never shares vertices between two shapes, each of which is a fan of
// triangles; and as each character has a place of its own in the font atlas, a quad's texture coordinates say which it is.
//
// The frame must have been drawn without ImGui's own smooth edges (ImGuiStyle::AntiAliasedFill, AntiAliasedLines): those are
// fringes of triangles.
#pragma once

#include "app/pictures/picture.h"

#include <imgui.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace app {

// Corner by corner, filled in one colour.
struct Fill {
    std::vector<std::vector<ImVec2>> loops;
    bool boxes = false; // each an upright rectangle
};
struct Line {
    std::vector<ImVec2> points;
    float width = 0;
    bool closed = false;
};
struct Disc {
    ImVec2 middle;
    float radius = 0;
};
struct Words {
    std::string font; // the file it was loaded from
    float size = 0;   // from the font's ascender to its descender
    ImVec2 start;     // on the baseline
    float width = 0;  // to where the next character would begin
    struct Character {
        char32_t code = 0;
        float x = 0; // where it begins
    };
    std::vector<Character> characters;
    std::string text; // the same as UTF-8
};
struct Image {
    ImVec2 min, max;
    Picture picture;
};

struct Shape {
    ImU32 colour = 0;     // not of an image
    ImVec4 clip;          // left, top, right, bottom
    bool clipped = false; // something of it lies outside of the clip rectangle
    std::variant<Fill, Line, Disc, Words, Image> what;
};

struct Drawing {
    float width = 0, height = 0; // in ImGui's units, from (0, 0)
    std::vector<Shape> shapes;   // later ones over earlier ones
};

// Of a frame that was rendered. `picture_of` reads back a texture that is not the font atlas.
Drawing drawing_of(const ImDrawData& data, const ImFontAtlas& atlas,
                   const std::function<Picture(ImTextureID)>& picture_of);

} // namespace app
