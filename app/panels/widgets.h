// Small things that several panels draw.
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
struct Panel; // viz/figure/figure.h
}

namespace app {

struct Area;
struct State;

using viz::draw::with_alpha;

// What a place shows that fills nothing itself: the window is cleared to the theme's background.
inline constexpr viz::Colour no_fill = 0;

// A window of its own that fills the area and does not move; call ImGui::End() whatever it returns.
bool begin_place(const char* name, const Area& area, viz::Colour background, bool padded = true);

// The child window that a view draws in, as large as the room that is left but never without any: views divide by the sizes of
// what they draw, and zoom into it. What a small window has no room for is cut off. Call ImGui::EndChild() afterwards.
void begin_view(const viz::Theme& theme);

float text_width(ImFont* font, std::string_view text);
float line_height(const ImFont* font);

// At a place in the window, outside ImGui's layout.
void draw_text(ImFont* font, ImVec2 at, viz::Colour colour, std::string_view text);
void draw_text_right(ImFont* font, ImVec2 right_top, viz::Colour colour, std::string_view text);

// With an ellipsis where it is wider than `width`; true when it was shortened.
bool draw_text_within(ImFont* font, ImVec2 at, float width, viz::Colour colour, std::string_view text);

// With line breaks: ImGui's own break lines after a comma, too, and so in the middle of "1,024".
std::string broken_at_blanks(ImFont* font, std::string_view words, float width);

// A page in the view's place: its title, and in the same line a button that closes it. Whether that was pressed; end_page() ends it.
struct PageTitle {
    const char* name;
    std::string title;
    std::string_view mark; // of the button
    float padding = 20;    // at the sides, at scale 1
    const char* close = "Close (Esc)";
};
bool begin_page(const State& state, const Area& area, const PageTitle& page);
void end_page();

// A line across the area, between what is above `y` and what is below.
void draw_rule(const viz::Theme& theme, const Area& area, float y);

// The ground of a row that the mouse is over.
void draw_hovered_row(const viz::Theme& theme, ImVec2 min, ImVec2 max);

// A figure in the current column of a table, at its right; whether the mouse is over it.
bool figure_cell(const viz::Theme& theme, viz::Colour colour, std::string_view words);

// In ImGui's layout.
void text(viz::Colour colour, std::string_view text);
void text_heading(const viz::Theme& theme, std::string_view text);
void text_wrapped(viz::Colour colour, std::string_view text);
void tooltip(const viz::Theme& theme, std::string_view text); // for the item before, when it is hovered
// Beside the pointer, whatever it is over.
void tooltip(const viz::Theme& theme, const viz::Rich& words);
inline void tooltip(const viz::Theme& theme, const viz::Messages& words)
{
    tooltip(theme, viz::rich(words));
}

// A panel of a figure that no view has, such as a chart on a page. Its actions get a scene without stages. What is said of what the
// mouse is over stands beside the pointer; of a silent one it is returned, for the status line.
void draw_panel(State& state, const viz::Panel& panel);
std::optional<viz::Rich> draw_silent_panel(State& state, const viz::Panel& panel);
// One that the mouse does nothing with, without an ImGui item: a cell of a table, whose row has the mouse.
void draw_still(const State& state, const viz::Panel& panel);

// In the status line, for the item before, when it is hovered.
void hint(State& state, const viz::Message& words);
void hint(State& state, const viz::Rich& words);
void hint(State& state, const std::convertible_to<std::string_view> auto& words)
{
    hint(state, viz::Rich{{.words = std::string(words)}});
}

// A field of at most so many bytes, with an example where nothing is typed. True as ImGui's own.
inline constexpr std::size_t longest_field = 1023;
bool text_field(const char* id, const char* example, std::string& typed, ImGuiInputTextFlags flags = 0,
                std::size_t most = longest_field);

// A line of a form: a label, and from `column` on (pixels at scale 1) what belongs to it.
void form_label(const viz::Theme& theme, const char* label, float column);
struct FormField {
    const char *label, *example;
    float column;
    std::size_t most = longest_field;
};
// True when Enter was pressed in it.
bool form_field(const viz::Theme& theme, const FormField& field, std::string& typed);

// Ends a popup, which Esc closes.
void end_popup(const State& state);

// Buttons that the window's tests find by a name, where they have one; a quiet one has no frame until it is hovered.
bool button(const State& state, const std::string& label, std::string_view mark);
bool quiet_button(const State& state, const std::string& label, std::string_view mark, bool chosen = false);

bool radio(const State& state, const std::string& label, std::string_view mark, bool chosen);

// A check mark or a cross, as high as the text.
void draw_check(ImVec2 at, float size, viz::Colour colour);
void draw_check_or_cross(const viz::Theme& theme, ImVec2 at, bool right);

} // namespace app
