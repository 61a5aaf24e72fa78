// A drawing as SVG: shapes as shapes, words as words that can be searched and selected.
#pragma once

#include "app/pictures/drawing.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace app {

struct SvgLook {
    std::string title;
    std::optional<ImU32> background; // none: transparent
    // Distinguishes the ids of several drawings in one page.
    std::string prefix;
    bool brings_fonts = true; // else the page that it stands in does
};

// The characters that are drawn, by the file of their font.
using UsedCharacters = std::map<std::string, std::set<char32_t>>;
void add_characters(const Drawing& drawing, UsedCharacters& used);

// The fonts with these characters, as rules of a style sheet.
std::string font_faces(const UsedCharacters& used);

// As text, or in quotes, of XML and HTML.
std::string escaped(std::string_view text);

std::string svg_of(const Drawing& drawing, const SvgLook& look);

} // namespace app
