// Colours with a meaning, fonts and lengths, for light and dark. Everything drawn takes its colours from here.
#pragma once

#include <cstddef>
#include <cstdint>

struct ImFont;

namespace viz {

using Colour = uint32_t; // as ImU32: 0xAABBGGRR

struct Theme {
    bool dark = true;
    float scale = 1.0f;        // of the monitor times the user's
    ImFont* text = nullptr;    // Inter, 14 px at scale 1
    ImFont* heading = nullptr; // Inter SemiBold, 18 px
    ImFont* mono = nullptr;    // JetBrains Mono, 13 px
    ImFont* mono_bold = nullptr;

    std::size_t* words_drawn = nullptr; // adds up the words of all prose; null: not counted

    Colour background = 0, panel = 0, border = 0;         // window, raised surfaces, hairlines
    Colour ink = 0, ink_quiet = 0, ink_faint = 0;         // text: body, secondary, disabled
    Colour accents[3] = {};                               // of the stages that are compared
    Colour warning = 0;                                   // conflicts, failures
    Colour good = 0;                                      // verified
    Colour lane_group[4] = {};                            // Paul Tol "bright": blue, cyan, green, yellow
    Colour load = 0, compute = 0, barrier = 0, store = 0; // phases

    // Of a compared stage; that of column 0 also marks what is chosen.
    Colour accent(std::size_t column = 0) const { return accents[column]; }
    float px(float pixels) const { return pixels * scale; }
};

Theme make_theme(bool dark, float scale); // fonts are set by the window

// The conflict ramp: 0 (no conflict) to 1 (worst), one light-to-amber ramp in either theme.
Colour conflict_colour(const Theme& theme, float share);
// The same for a number of conflicts, where `worst` is the largest.
Colour conflict_colour(const Theme& theme, uint64_t conflicts, uint64_t worst);

// Colours for many neighbours (blocks, warps): the index-th of a colour-blind-safe cycle.
Colour category_colour(const Theme& theme, uint32_t index);

// The same for the warps of a block, or the rows of a tile: quieter, as they cover large areas.
Colour warp_colour(const Theme& theme, uint32_t warp);

// One of 32 lanes or banks: four hues of eight, each from light to dark.
Colour lane_colour(const Theme& theme, uint32_t lane);

// Between two colours: share 0 is the first, 1 the second.
Colour mix(Colour from, Colour to, float share);

// Black or white, whichever reads better on the colour.
Colour ink_on(Colour background);

} // namespace viz
