// Rows of the ladder's panel: their appearance, the source of their speeds, and the rows that are no stages.
#pragma once

#include "app/data/speeds.h"
#include "app/panels/state.h"

#include "viz/draw/draw.h"
#include "viz/theme.h"

#include <optional>

namespace app {

struct LadderStyle {
    const viz::Theme& theme;
    bool gpu;                     // speeds are measured, so rows have bars
    const ShippedSpeeds* shipped; // shown if no speeds are measured; null: none are shipped
    double peak;                  // GFLOPS; 0: unknown
    std::optional<double> cublas;
    float left, right;   // horizontal extent of a row's content
    bool hidden = false; // speeds are hidden until they are revealed: see Presenting

    bool has_speeds() const { return gpu || shipped != nullptr; }
};

// Fills the background of a shown stage's row with the stage's color.
inline void draw_shown_row(const viz::Theme& theme, ImVec2 min, ImVec2 max, viz::Colour accent)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, viz::draw::with_alpha(accent, 0.2f));
    list.AddRectFilled(min, {min.x + theme.px(3), max.y}, accent);
}

// At scale 1.
inline constexpr float name_indent = 10;
inline constexpr float first_line = 3, second_line = 21, row_height = 41, row_height_without_speed = 26;

// Draws the baselines at the end of the ladder, with their speeds. A library's row also shows its traced kernel. A
// click opens the kernel's recording if it is shipped.
void draw_baselines(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style);

// Draws the user's files below the ladder's stages.
void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style);

// Draws below the ladder how its speeds were measured, and where cuBLAS is still ahead.
void draw_ladder_questions(const Snapshot& snapshot, State& state);

} // namespace app
