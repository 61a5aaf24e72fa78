// Which character a quad of the font atlas shows: each has a place of its own there.
#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace app {

struct SeenCharacter {
    const ImFont* font = nullptr;
    char32_t character = 0;
    float scale = 1;   // of the font's own size
    ImVec2 origin;     // where it begins, on the baseline
    float advance = 0; // to where the next one begins
};

class Characters {
public:
    explicit Characters(const ImFontAtlas& atlas);
    // Of the four corners that ImGui draws a character with, also where it cut off some of it; none: it is none.
    std::optional<SeenCharacter> find(std::span<const ImDrawVert> corners) const;

private:
    struct Glyph {
        const ImFont* font = nullptr;
        const ImFontGlyph* glyph = nullptr;
    };
    const Glyph* at(ImVec2 low, ImVec2 high) const;

    std::map<std::pair<float, float>, Glyph> glyphs_; // by the upper left corner in the atlas
};

std::string utf8(char32_t code);

} // namespace app
