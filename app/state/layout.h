// The window's five places, in pixels, for its size and scale. Pure.
#pragma once

#include "app/workspace/patch.h"

namespace app {

struct Area {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
};

struct LayoutInput {
    float width = 0, height = 0; // of the window
    float scale = 1;
    bool card = true;          // there is something to stand on it
    int timeline_bars = 1;     // as many as stages are compared
    bool column = false;       // of a lesson or a quiz, beside the view
    bool source_first = false; // which of the two side panels stays when there is no room for both
};

struct Layout {
    Area top, ladder, column, view, card, source, timeline, status; // column: of no width where there is none
    bool ladder_open = true, source_open = true;                    // closed: a narrow strip to open it with
};

// Every area lies inside the window and no two overlap; between them are gaps for the splitters.
Layout arrange(const LayoutInput& input, const Panels& panels);

// As large as wanted, as far as the window has room for all that stands in it: at a larger scale views of two stages are cut.
float fitting_scale(float wanted, float width, float height);

inline constexpr float splitter_width = 7; // at scale 1, as all of these
inline constexpr float closed_width = 22;
inline constexpr float least_view_width = 430;
inline constexpr float least_ladder_width = 150, least_source_width = 220;

} // namespace app
