// Small elements that several panels draw.
#pragma once

#include "viz/draw/draw.h"
#include "viz/text/message.h"
#include "viz/text/rich.h"
#include "viz/theme.h"

#include <imgui.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace viz {
struct Panel; // defined in viz/figure/figure.h
}

namespace app {

struct Area;
struct State;

using viz::draw::with_alpha;

// Background for an area that fills nothing itself: the window is cleared to the theme's background.
inline constexpr viz::Colour no_fill = 0;

// Begins an immovable window that fills the area. Call ImGui::End() whatever it returns.
bool begin_area(const char* name, const Area& area, viz::Colour background, bool padded = true);

// Begins the child window that a view draws in. It fills the remaining room but always has a minimum size, because
// views divide by sizes and zoom. What does not fit into a small window is cut off. Call ImGui::EndChild() afterwards.
void begin_view(const viz::Theme& theme);

float text_width(ImFont* font, std::string_view text);
float line_height(const ImFont* font);

// Draw outside ImGui's layout.
void draw_text(ImFont* font, ImVec2 at, viz::Colour colour, std::string_view text);
void draw_text_right(ImFont* font, ImVec2 right_top, viz::Colour colour, std::string_view text);

// Shortens a text that is wider than `width` with an ellipsis. Returns true if it was shortened.
bool draw_text_within(ImFont* font, ImVec2 at, float width, viz::Colour colour, std::string_view text);

// Inserts line breaks at blanks. ImGui itself also breaks lines after a comma, and so within "1,024".
std::string broken_at_blanks(ImFont* font, std::string_view words, float width);

// Begins a page that replaces the view: its title, and a button on the same line that closes it. Returns whether that
// button was pressed. Call end_page() afterwards.
struct PageTitle {
    const char* name;
    std::string title;
    std::string_view mark; // name of the button
    float padding = 20;    // at the sides, at scale 1
    const char* close = "Close (Esc)";
};
bool begin_page(const State& state, const Area& area, const PageTitle& page);
void end_page();

// Draws a line across the area at `y`.
void draw_rule(const viz::Theme& theme, const Area& area, float y);

// Fills the background of a row under the mouse.
void draw_hovered_row(const viz::Theme& theme, ImVec2 min, ImVec2 max);

// Draws a right-aligned figure in the current column of a table. Returns whether the mouse is over it.
bool figure_cell(const viz::Theme& theme, viz::Colour colour, std::string_view words);

// Draw in ImGui's layout.
void text(viz::Colour colour, std::string_view text);
void text_heading(const viz::Theme& theme, std::string_view text);
void text_wrapped(viz::Colour colour, std::string_view text);
void say(const viz::Theme& theme, const viz::Rich& words);    // as wide as the room that is left
void tooltip(const viz::Theme& theme, std::string_view text); // for the previous item while the mouse is over it
// Shows a tooltip beside the pointer, whatever it is over.
void tooltip(const viz::Theme& theme, const viz::Rich& words);
inline void tooltip(const viz::Theme& theme, const viz::Messages& words)
{
    tooltip(theme, viz::rich(words));
}

// Draw a panel of a figure outside of a view, such as a chart on a page. Its actions get a scene without stages. The
// text for the mark under the mouse is shown beside the pointer. For a silent panel it is returned for the status line.
void draw_panel(State& state, const viz::Panel& panel);
std::optional<viz::Rich> draw_silent_panel(State& state, const viz::Panel& panel);
// Draws a panel without mouse interaction and without an ImGui item: a cell of a table whose row handles the mouse.
void draw_still(const State& state, const viz::Panel& panel);

// Shows the words in the status line while the mouse is over the previous item.
void hint(State& state, const viz::Message& words);
void hint(State& state, const viz::Rich& words);
void hint(State& state, const std::convertible_to<std::string_view> auto& words)
{
    hint(state, viz::Rich{{.words = std::string(words)}});
}

// Draws a field of at most `most` bytes, with an example while it is empty. Returns true as ImGui's own field does.
inline constexpr std::size_t longest_field = 1023;
bool text_field(const char* id, const char* example, std::string& typed, ImGuiInputTextFlags flags = 0,
                std::size_t most = longest_field);

bool is_form_open();
// Call this first in each frame. A text field goes with its form, but in the next frame ImGui still says that the field
// gets the keys. `had_form` says whether a form was open at the last call.
void forget_gone_field(bool& had_form);

// Draws a form label. Its field begins at `column` (pixels at scale 1).
void form_label(const viz::Theme& theme, const char* label, float column);
struct FormField {
    const char *label, *example;
    float column;
    std::size_t most = longest_field;
};
// Returns true if Enter was pressed in the field.
bool form_field(const viz::Theme& theme, const FormField& field, std::string& typed);

// Ends a popup that Esc closes.
void end_popup(const State& state);

// Draw buttons. Tests of the window find a button by its mark. A quiet button has no frame until the mouse is over it.
bool button(const State& state, const std::string& label, std::string_view mark);
bool quiet_button(const State& state, const std::string& label, std::string_view mark, bool chosen = false);

// Draws the title of a column, and a cross at its right that closes it. Returns whether the cross was pressed; an empty
// mark leaves it out.
bool title_to_close(const State& state, const viz::Rich& title, std::string_view mark);

bool radio(const State& state, const std::string& label, std::string_view mark, bool chosen);

// Draw a check mark or a cross as high as the text.
void draw_check(ImVec2 at, float size, viz::Colour colour);
void draw_check_or_cross(const viz::Theme& theme, ImVec2 at, bool right);

} // namespace app
