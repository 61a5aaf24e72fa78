#include "viz/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

// Converts 0xRRGGBB to ImGui's byte order, opaque.
constexpr Colour rgb(uint32_t value)
{
    return 0xff000000u | (value & 0xffu) << 16 | (value & 0xff00u) | value >> 16;
}

constexpr uint32_t channel(Colour colour, int index)
{
    return colour >> (8 * index) & 0xffu;
}

// Returns the relative luminance, as the Web Content Accessibility Guidelines (WCAG) define it.
float luminance(Colour colour)
{
    constexpr float weight[3] = {0.2126f, 0.7152f, 0.0722f}; // red, green, blue
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
        const float value = static_cast<float>(channel(colour, i)) / 255;
        sum += weight[i] * (value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f));
    }
    return sum;
}

// Colours in the notation of rgb().
struct PaletteRow {
    Colour Theme::*colour;
    uint32_t dark, light;
};
constexpr PaletteRow palette[] = {
    {&Theme::background, 0x15181d, 0xffffff}, {&Theme::panel, 0x1c2027, 0xf3f5f8},
    {&Theme::border, 0x323843, 0xcdd3db},     {&Theme::ink, 0xe4e8ee, 0x1b2028},
    {&Theme::ink_quiet, 0xa3acb9, 0x515b68},  {&Theme::ink_faint, 0x7f8a99, 0x6b7480},
    {&Theme::warning, 0xf2b53a, 0xa76300},    {&Theme::good, 0x52b788, 0x1d7f4e},
    {&Theme::load, 0x2a7a8f, 0x8fd0e0}, // differs from the blue of column 0
    {&Theme::compute, 0x2c7350, 0x9bd3b1},    {&Theme::barrier, 0x5b6470, 0xaab2bd},
    {&Theme::store, 0x7d5a9c, 0xcbb2df},
};

// Colours of the compared stages: blue, pink, and pale aqua (dark theme) or dark slate (light theme). They differ from
// each other and from the amber of conflicts, also for people with red-green colour blindness.
constexpr uint32_t dark_accents[] = {0x58a6f5, 0xe86aa6, 0x9fe0e0}, light_accents[] = {0x1668c1, 0xb52a78, 0x27424c};

} // namespace

Colour mix(Colour from, Colour to, float share)
{
    Colour result = 0;
    for (int i = 0; i < 4; ++i) {
        const auto a = static_cast<float>(channel(from, i)), b = static_cast<float>(channel(to, i));
        result |= static_cast<Colour>(std::lround(a + (b - a) * share)) << (8 * i);
    }
    return result;
}

Theme make_theme(bool dark, float scale)
{
    Theme theme;
    theme.dark = dark;
    theme.scale = scale;
    for (const PaletteRow& row : palette)
        theme.*row.colour = rgb(dark ? row.dark : row.light);
    std::ranges::transform(dark ? dark_accents : light_accents, theme.accents, rgb);
    std::ranges::copy(std::array{rgb(0x4477aa), rgb(0x66ccee), rgb(0x228833), rgb(0xccbb44)}, theme.lane_group);
    return theme;
}

// The ramp starts near the background and ends in the same amber in both themes, so conflicts are conspicuous. Linear
// mixing keeps the lightness monotonic, which colour-blind users need.
Colour conflict_colour(const Theme& theme, float share)
{
    const Colour none = theme.dark ? rgb(0x3a4350) : rgb(0xf0e9da);
    const Colour worst = theme.dark ? rgb(0xf5a524) : rgb(0xdb7d00);
    return mix(none, worst, std::clamp(share, 0.0f, 1.0f));
}

Colour conflict_colour(const Theme& theme, uint64_t conflicts, uint64_t worst)
{
    return conflict_colour(theme, worst == 0 ? 0.0f : static_cast<float>(conflicts) / static_cast<float>(worst));
}

// Uses Paul Tol's "muted" colours. On a dark background, its darkest colours are slightly lighter.
Colour category_colour(const Theme& theme, uint32_t index)
{
    static constexpr std::array<uint32_t, 9> muted = {0x88ccee, 0xcc6677, 0xddcc77, 0x117733, 0x332288,
                                                      0xaa4499, 0x44aa99, 0x999933, 0x882255};
    const Colour colour = rgb(muted[index % muted.size()]);
    return theme.dark && luminance(colour) < 0.1f ? mix(colour, rgb(0xffffff), 0.2f) : colour;
}

Colour warp_colour(const Theme& theme, uint32_t warp)
{
    return mix(category_colour(theme, warp), theme.panel, 0.3f);
}

Colour lane_colour(const Theme& theme, uint32_t lane)
{
    return mix(theme.lane_group[lane / 8 % 4], theme.dark ? rgb(0x000000) : rgb(0xffffff),
               0.08f * static_cast<float>(lane % 8));
}

Colour ink_on(Colour background)
{
    // A colour of this luminance has the same contrast with black as with white.
    return luminance(background) > 0.179f ? rgb(0x000000) : rgb(0xffffff);
}

} // namespace viz
