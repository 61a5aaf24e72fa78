// Small drawing helpers that the views share: text that is measured before it is drawn, colours, keys, buttons.
#pragma once

#include "viz/theme.h"

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

namespace viz::draw {

struct Box {
    ImVec2 min, max;
    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    bool holds(ImVec2 point) const
    {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
};

ImVec2 measure(ImFont* font, std::string_view text);
void text(ImDrawList* list, ImFont* font, ImVec2 place, Colour colour, std::string_view words);

// Ends at `right_top`.
void text_right(ImDrawList* list, ImFont* font, ImVec2 right_top, Colour colour, std::string_view words);

// In the middle of the box, if it fits there; says whether it did.
bool text_in(ImDrawList* list, ImFont* font, const Box& box, Colour colour, std::string_view words);

// The first of these that fits into the box, in its middle, on a ground of its own; none where none fits.
void plate_in(ImDrawList* list, const Theme& theme, const Box& box, std::span<const std::string> words);

Colour with_alpha(Colour colour, float alpha);

// Of a place that holds nothing: a word not written yet, a slot without a warp, room that nobody takes.
Colour empty_colour(const Theme& theme);

// Lines from lower left to upper right: what nobody knows.
void hatch(ImDrawList* list, const Theme& theme, const Box& box, Colour colour);

// A character was typed in this frame, and no text field wants it.
bool typed(char character);

// Beside the item drawn last, if something so wide still fits there, else on a new line.
void flow(float width);
float button_width(const char* label);

// One of several buttons in a row; `chosen` is drawn pressed. A null or empty `refusal` means that it can be pressed,
// otherwise it is greyed and the refusal goes to `hint` while the mouse is over it.
struct Choice {
    const char* label = "";
    bool chosen = false;
    std::string_view refusal;
};
bool choice(const Theme& theme, const Choice& choice, std::string& hint);

} // namespace viz::draw
