// Small drawing helpers that views share: measured text, colours, keys, buttons.
#pragma once

#include "viz/marks.h"
#include "viz/theme.h"

#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace viz::draw {

// A rectangle on the screen, in pixels.
struct Box {
    ImVec2 min, max;
    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    bool holds(ImVec2 point) const
    {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
    bool overlaps(const Box& other) const
    {
        return max.x > other.min.x && min.x < other.max.x && max.y > other.min.y && min.y < other.max.y;
    }
    ImVec2 middle() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

inline Box around(ImVec2 point, float radius) // a square
{
    return {{point.x - radius, point.y - radius}, {point.x + radius, point.y + radius}};
}

ImVec2 measure(ImFont* font, std::string_view text);
float line_height(ImFont* font);

// Returns the height of a line of the theme's text, or of another font, plus a gap of `between` pixels at scale 1.
// Rounded to whole pixels.
float row_height(const Theme& theme, float between, ImFont* font = nullptr);

// Returns the first of the texts that fits into the room, or the last one if none fits.
std::string first_fitting(ImFont* font, float room, std::span<const std::string> words);

void text(ImDrawList* list, ImFont* font, ImVec2 place, Colour colour, std::string_view words);

// Draws text in the middle of the box if it fits there, and returns whether it did.
bool text_in(ImDrawList* list, ImFont* font, const Box& box, Colour colour, std::string_view words);

// Fills a large area with one opaque colour at low cost. Works like ImDrawList::AddRectFilled within the list's clip
// rectangle. It clears the pixels instead of sampling a texture and blending, which takes a quarter of the time in
// software rendering. Each call adds a draw command, so it pays off above some ten thousand pixels.
void fill_opaque(ImDrawList& list, ImVec2 min, ImVec2 max, Colour colour);

// The colour that the command of fill_opaque() gives to its clip rectangle; none: it is another command.
std::optional<Colour> opaque_fill(const ImDrawCmd& command);

Colour with_alpha(Colour colour, float alpha);

// Colour of an empty position: a word not written yet, a slot without a warp, unused space.
Colour empty_colour(const Theme& theme);

// Makes the box an ImGui item and returns whether the mouse is over it.
bool item(const char* name, const Box& box);

// Returns whether the mouse is over a box of ImGui's window. Needs no item.
bool pointed_at(const Box& box);

// Places the next item beside the last one if this width fits there, otherwise on a new line.
void flow(float width);
float button_width(const char* label);

// One of several buttons in a row. A `chosen` button is drawn pressed. A button with a refusal is greyed out, and the
// refusal goes to `hint` while the mouse is over it; a null or empty refusal leaves it enabled.
struct Choice {
    const char* label = "";
    bool chosen = false;
    std::string_view refusal;
};
bool choice(const Theme& theme, const Choice& choice, std::string& hint);

} // namespace viz::draw

namespace viz {

inline void mark(Marks* marks, std::string_view name, const draw::Box& box)
{
    mark(marks, name, box.min, box.max);
}

inline void mark_picture(Marks* marks, std::string_view name, const draw::Box& box)
{
    mark_picture(marks, name, box.min, box.max);
}

} // namespace viz
