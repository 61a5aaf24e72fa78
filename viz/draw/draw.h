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

// Returns the height of a line of text in a font (by default the theme's) plus a gap of `between` pixels at scale 1.
// Rounded to whole pixels.
float row_height(const Theme& theme, float between, ImFont* font = nullptr);

// Returns the first text that fits into the room, or the last text if none fits.
std::string first_fitting(ImFont* font, float room, std::span<const std::string> words);

void text(ImDrawList* list, ImFont* font, ImVec2 place, Colour colour, std::string_view words);

// Draws text in the middle of the box if it fits there, and returns whether it did.
bool text_in(ImDrawList* list, ImFont* font, const Box& box, Colour colour, std::string_view words);

// Fills a large area with one opaque colour. Works like ImDrawList::AddRectFilled within the list's clip rectangle, but
// clears the pixels instead of blending a texture. That takes a quarter of the time in software rendering. Each call
// adds a draw command, so it saves time only above some ten thousand pixels.
void fill_opaque(ImDrawList& list, ImVec2 min, ImVec2 max, Colour colour);

// Returns the colour of a command of fill_opaque(), or nothing for other commands.
std::optional<Colour> opaque_fill(const ImDrawCmd& command);

Colour with_alpha(Colour colour, float alpha);

// Returns the colour of an empty position: a word not written yet, a slot without a warp, unused space.
Colour empty_colour(const Theme& theme);

// Makes the box an ImGui item and returns whether the mouse is over it.
bool item(const char* name, const Box& box);

// Returns whether the mouse is over a box of ImGui's window. Needs no item.
bool pointed_at(const Box& box);

// Places the next item beside the last one, or on a new line if this width does not fit there.
void flow(float width);
float button_width(const char* label);

// One of several buttons in a row. A `chosen` button is drawn pressed. A button with a refusal is grey, and `hint`
// shows the refusal while the mouse is over it.
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
