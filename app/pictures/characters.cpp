#include "app/pictures/characters.h"

#include <algorithm>
#include <cmath>

namespace app {

Characters::Characters(const ImFontAtlas& atlas)
{
    for (const ImFont* font : atlas.Fonts)
        for (const ImFontGlyph& glyph : font->Glyphs)
            if (glyph.Visible != 0)
                glyphs_.try_emplace({glyph.U0, glyph.V0}, Glyph{font, &glyph});
}

const Characters::Glyph* Characters::at(ImVec2 low, ImVec2 high) const
{
    if (const auto found = glyphs_.find({low.x, low.y}); found != glyphs_.end())
        return &found->second;
    const ImVec2 inside{(low.x + high.x) / 2, (low.y + high.y) / 2}; // cut off at the left or at the top
    const auto holds = [&](const auto& entry) {
        const ImFontGlyph& glyph = *entry.second.glyph;
        return inside.x >= glyph.U0 && inside.x <= glyph.U1 && inside.y >= glyph.V0 && inside.y <= glyph.V1;
    };
    const auto found = std::ranges::find_if(glyphs_, holds);
    return found == glyphs_.end() ? nullptr : &found->second;
}

std::optional<SeenCharacter> Characters::find(std::span<const ImDrawVert> corners) const
{
    if (corners.size() != 4)
        return std::nullopt;
    const ImDrawVert &low = corners[0], &high = corners[2];
    const Glyph* found = at(low.uv, high.uv);
    if (found == nullptr || high.uv.x <= low.uv.x || high.uv.y <= low.uv.y)
        return std::nullopt;
    const ImFontGlyph& glyph = *found->glyph;
    // How large the whole character is where a part of it is drawn.
    const float across = (high.pos.x - low.pos.x) / (high.uv.x - low.uv.x);
    const float down = (high.pos.y - low.pos.y) / (high.uv.y - low.uv.y);
    const float left = low.pos.x - (low.uv.x - glyph.U0) * across, top = low.pos.y - (low.uv.y - glyph.V0) * down;
    const float scale = across * (glyph.U1 - glyph.U0) / (glyph.X1 - glyph.X0);
    return SeenCharacter{
        .font = found->font,
        .character = glyph.Codepoint,
        .scale = scale,
        .origin = {left - glyph.X0 * scale, top + (std::round(found->font->Ascent) - glyph.Y0) * scale},
        .advance = glyph.AdvanceX * scale};
}

std::string utf8(char32_t code)
{
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80)
        return {static_cast<char>(code)};
    if (code < 0x800)
        return {static_cast<char>(0xc0 | code >> 6), tail(0)};
    if (code < 0x10000)
        return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

} // namespace app
