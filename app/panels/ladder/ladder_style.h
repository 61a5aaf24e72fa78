// How the rows of the ladder's panel look, and where the speeds in them come from.
#pragma once

#include "app/catalogue/speeds.h"

#include "viz/draw/draw.h"
#include "viz/theme.h"

#include <optional>

namespace app {

struct LadderStyle {
    const viz::Theme& theme;
    bool gpu;                     // speeds are measured, so rows have bars
    const ShippedSpeeds* shipped; // where none are measured; null: none are shipped either
    double peak;                  // GFLOPS; 0: not known
    std::optional<double> cublas;
    float left, right;   // of what stands in a row
    bool hidden = false; // speeds wait to be revealed: see Presenting

    bool has_speeds() const { return gpu || shipped != nullptr; }
};

// The ground of a row whose stage is shown, in its colour; of one that the mouse is over.
inline void draw_shown_row(const viz::Theme& theme, ImVec2 min, ImVec2 max, viz::Colour accent)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, viz::draw::with_alpha(accent, 0.2f));
    list.AddRectFilled(min, {min.x + theme.px(3), max.y}, accent);
}

inline void draw_hovered_row(const viz::Theme& theme, ImVec2 min, ImVec2 max)
{
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, viz::draw::with_alpha(theme.ink, 0.06f));
}

// At scale 1.
inline constexpr float name_indent = 10;
inline constexpr float first_line = 3, second_line = 21, row_height = 41, row_height_without_speed = 26;

} // namespace app
