// Colours with a meaning, fonts and lengths, for the light and the dark theme. All drawing uses them.
#pragma once

#include <cstddef>
#include <cstdint>

struct ImFont;

namespace viz {

using Colour = uint32_t; // in the order of ImU32: 0xAABBGGRR

// The colours and fonts of a theme, and the scale of lengths.
struct Theme {
    bool dark = true;
    float scale = 1.0f;        // the monitor's scale times the user's
    ImFont* text = nullptr;    // Inter, 14 px at scale 1
    ImFont* heading = nullptr; // Inter SemiBold, 17 px
    ImFont* mono = nullptr;    // JetBrains Mono, 13 px
    ImFont* mono_bold = nullptr;

    std::size_t* words_drawn = nullptr; // counts words drawn as rich text; null: not counted

    Colour background = 0, panel = 0, border = 0;         // window, raised surfaces, hairlines
    Colour ink = 0, ink_quiet = 0, ink_faint = 0;         // text: body, secondary, disabled
    Colour accents[3] = {};                               // of the compared stages
    Colour warning = 0;                                   // conflicts, failures
    Colour good = 0;                                      // verified
    Colour lane_group[4] = {};                            // Paul Tol "bright": blue, cyan, green, yellow
    Colour load = 0, compute = 0, barrier = 0, store = 0; // phases

    // Returns the colour of a compared stage. The colour of column 0 also marks the selection.
    Colour accent(std::size_t column = 0) const { return accents[column]; }
    float px(float pixels) const { return pixels * scale; }
};

Theme make_theme(bool dark, float scale); // the window sets the fonts

// Returns a colour of the conflict ramp. A share of 0 means no conflict, and 1 the worst one, in amber.
Colour conflict_colour(const Theme& theme, float share);
// Returns the colour for a number of conflicts, where `worst` is the largest number.
Colour conflict_colour(const Theme& theme, uint64_t conflicts, uint64_t worst);

// Returns a colour from a cycle that colour-blind users can distinguish, for adjacent items such as blocks.
Colour category_colour(const Theme& theme, uint32_t index);

// Returns a paler variant of category_colour() for large areas, such as the warps of a block or the rows of a tile.
Colour warp_colour(const Theme& theme, uint32_t warp);

// Returns the colour of one of 32 lanes or banks. There are four hues with eight shades each.
Colour lane_colour(const Theme& theme, uint32_t lane);

// Blends two colours: share 0 gives `from`, share 1 gives `to`.
Colour mix(Colour from, Colour to, float share);

// Returns black or white, whichever has more contrast with the background.
Colour ink_on(Colour background);

} // namespace viz
