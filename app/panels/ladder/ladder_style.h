// The rows of the ladder's panel: how they look, where the speeds in them come from, and who draws those that are no stages.
#pragma once

#include "app/catalogue/speeds.h"
#include "app/state/state.h"

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

// The ground of a row whose stage is shown, in its colour.
inline void draw_shown_row(const viz::Theme& theme, ImVec2 min, ImVec2 max, viz::Colour accent)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, viz::draw::with_alpha(accent, 0.2f));
    list.AddRectFilled(min, {min.x + theme.px(3), max.y}, accent);
}

// At scale 1.
inline constexpr float name_indent = 10;
inline constexpr float first_line = 3, second_line = 21, row_height = 41, row_height_without_speed = 26;

// The end of the ladder: what it is compared with. What they reach, and of libraries the kernel that was traced: a click opens it where
// it is shipped.
void draw_baselines(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style);

// A person's own files, below the ladder's stages.
void draw_own_rows(const Snapshot& snapshot, Session& session, State& state, const LadderStyle& style);

// Below the ladder: how its speeds were measured, and where cuBLAS is still ahead.
void draw_ladder_questions(const Snapshot& snapshot, State& state);

} // namespace app
