// Computes the areas of the window in pixels from its size and scale. Pure.
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
    bool card = true;          // there is something to show on the card
    int timeline_bars = 1;     // one per compared stage
    bool column = false;       // a lesson or quiz needs a column beside the view
    bool class_bar = false;    // a class needs a row of text below the top row
    bool source_first = false; // which side panel stays open if there is room for only one
};

struct Layout {
    Area top, class_bar, ladder, column, view, card, source, timeline, status; // column, class_bar: empty if not needed
    bool ladder_open = true, source_open = true; // false: a narrow strip that opens the panel
};

// Computes the layout. Every area lies inside the window and no two overlap. Gaps for the splitters separate them.
Layout arrange(const LayoutInput& input, const Panels& panels);

// Returns the wanted scale, limited so that the window has room for everything: at a larger scale views of two stages
// would be cut off.
float fitting_scale(float wanted, float width, float height);

// Returns whether the window is that of a phone held upright: the column of a lesson or quiz is below the view, and
// what is touched is larger.
bool is_narrow(float width, float scale);

inline constexpr float splitter_width = 7; // at scale 1, like all of these constants
inline constexpr float closed_width = 22;
inline constexpr float least_view_width = 430;
inline constexpr float least_ladder_width = 150, least_source_width = 220;

} // namespace app
