// Small things that several panels draw.
#pragma once

#include "viz/text/message.h"
#include "viz/theme.h"

#include <imgui.h>

#include <string>
#include <string_view>

namespace app {

struct Area;

// What a place shows that fills nothing itself: the window is cleared to the theme's background.
inline constexpr viz::Colour no_fill = 0;

// A window of its own that fills the area and does not move; call ImGui::End() whatever it returns.
bool begin_place(const char* name, const Area& area, viz::Colour background, bool padded = true);

float text_width(ImFont* font, std::string_view text);
float line_height(const ImFont* font);

// At a place in the window, outside ImGui's layout.
void draw_text(ImFont* font, ImVec2 at, viz::Colour colour, std::string_view text);
void draw_text_right(ImFont* font, ImVec2 right_top, viz::Colour colour, std::string_view text);

// With an ellipsis where it is wider than `width`; true when it was shortened.
bool draw_text_within(ImFont* font, ImVec2 at, float width, viz::Colour colour, std::string_view text);

// With line breaks: ImGui's own break lines after a comma, too, and so in the middle of "1,024".
std::string broken_at_blanks(ImFont* font, std::string_view words, float width);

// In ImGui's layout.
void text(viz::Colour colour, std::string_view text);
void text_wrapped(viz::Colour colour, std::string_view text);
void tooltip(const viz::Theme& theme, std::string_view text); // for the item before, when it is hovered
// Beside the pointer, whatever it is over.
void tooltip(const viz::Theme& theme, const viz::Messages& messages);

// A button without a frame until it is hovered.
bool quiet_button(const viz::Theme& theme, const char* label, bool chosen = false);

// A check mark or a cross, as high as the text.
void draw_check(ImVec2 at, float size, viz::Colour colour);
void draw_cross(ImVec2 at, float size, viz::Colour colour);

viz::Colour faded(viz::Colour colour, float alpha);

} // namespace app
