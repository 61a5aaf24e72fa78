#include "viz/views/35_layout/bits_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace viz {

namespace {

// How many bits numbers below `count` have.
int bits_of(uint64_t count)
{
    return std::max(1, static_cast<int>(std::bit_width(std::max<uint64_t>(count, 1) - 1)));
}

Mapping mapping_of(const SharedTile& tile)
{
    const Mapping& shown = tile.shown().mapping;
    return shown.kind == Mapping::Kind::recorded ? tile.origin().value_or(shown) : shown;
}

class BitsPainter {
public:
    BitsPainter(const BitsPicture& what, const draw::Box& where)
        : picture(what), theme(what.theme), box(where), list(ImGui::GetWindowDrawList()), mapping(mapping_of(what.tile))
    {
        const recording::Array& tile = what.tile.tile();
        line = draw::measure(theme.mono, "0").y;
        col_bits = bits_of(tile.cols);
        row_bits = bits_of(tile.rows);
        place = what.tile.place_of(what.cell);
        place_bits = std::max(bits_of(what.tile.places()), row_bits + col_bits);
        label = draw::measure(theme.mono, "place 0000").x + theme.px(8);
        gap = theme.px(6);
        side = std::clamp((box.width() - label - gap) / static_cast<float>(place_bits), theme.px(7), theme.px(40));
    }

    void draw()
    {
        const Cell& cell = picture.cell;
        float y = box.min.y;
        list->PushClipRect(box.min, box.max, true); // a typed one may be long; the tooltip has all of it
        draw::text(list, theme.mono, {box.min.x, y}, theme.ink, formula());
        list->PopClipRect();
        y += line + theme.px(5);
        const float agreeing = 2 * line + theme.px(10);
        const bool agrees = mapping.kind == Mapping::Kind::xored && box.height() >= bits_height(theme) + agreeing;
        // What the box is higher than its words goes to the bits and to the way between them.
        const float more = std::max(0.0f, box.height() - bits_height(theme) - (agrees ? agreeing : 0)) / 3;
        const float high = line + theme.px(3) + std::min(more, theme.px(24));
        const FlippedBits bits = flipped_bits(mapping, cell.row, cell.col);
        const bool of_row = mapping.bits == Mapping::Bits::of_row;
        draw::text(list, theme.mono, {box.min.x, y + theme.px(1)}, theme.ink_quiet,
                   fmt::format("{}, {}", cell.row, cell.col));
        draw_number(cell.row, row_bits, col_bits, y, high, of_row ? bits.decide : 0, false);
        draw_number(cell.col, col_bits, 0, y, high, of_row ? 0 : bits.decide, false);
        const float below = y + high + theme.px(14) + more;
        draw::text(list, theme.mono, {box.min.x, below + theme.px(1)}, theme.ink_quiet, fmt::format("place {}", place));
        draw_number(place, place_bits, 0, below, high, bits.flipped, true);
        for (int bit = 0; bit < 32; ++bit)
            if (bits.decide >> bit & 1u)
                draw_arrow(bit + (of_row ? col_bits : 0), bit + bits.up, y + high, below,
                           bits.flipped >> (bit + bits.up) & 1u);
        draw_bank(below + high);
        if (agrees)
            draw_loads(box.max.y - agreeing + theme.px(6));
    }

private:
    std::string formula() const
    {
        return mapping.kind == Mapping::Kind::recorded ? "place: as recorded" : formula_of(mapping);
    }

    // Bits of the column and of the place end at the right; those of the row stand above where they go to.
    float x_of(int bit) const
    {
        const float right = box.min.x + label + side * static_cast<float>(place_bits) + gap;
        return right - side * static_cast<float>(bit + 1) - (bit >= col_bits ? gap : 0);
    }

    void draw_number(uint32_t number, int count, int first, float y, float high, uint32_t special, bool filled) const
    {
        for (int bit = 0; bit < count; ++bit) {
            const draw::Box cell{{x_of(first + bit), y}, {x_of(first + bit) + side - 1, y + high}};
            const bool one = number >> bit & 1u, marked = special >> bit & 1u;
            const Colour face = marked && filled ? picture.accent
                                : one            ? mix(theme.panel, theme.ink, 0.4f)
                                                 : draw::empty_colour(theme);
            list->AddRectFilled(cell.min, cell.max, face);
            if (marked && !filled)
                list->AddRect(cell.min, cell.max, picture.accent, 0, 0, theme.px(2));
            if (marked)
                mark(picture.marks, fmt::format("{} bit {}", filled ? "flipped" : "deciding", bit), cell.min, cell.max);
            draw::text_in(list, theme.mono, cell, ink_on(face), one ? "1" : "0");
        }
    }

    // From a bit that decides down to the one that it flips, or would flip.
    void draw_arrow(int from, int to, float top, float bottom, bool flips) const
    {
        const ImVec2 a{x_of(from) + side / 2, top}, b{x_of(to) + side / 2, bottom};
        const float middle = (top + bottom) / 2;
        list->AddBezierCubic(a, {a.x, middle}, {b.x, middle}, b, flips ? picture.accent : theme.ink_faint,
                             theme.px(flips ? 2.0f : 1.0f));
    }

    // Under the bits of the place that say the bank.
    void draw_bank(float y) const
    {
        const uint32_t bytes = picture.tile.tile().element_bytes;
        if (bytes > model::bank_bytes)
            return;
        const int least = std::countr_zero(model::bank_bytes / std::max(1u, bytes)), most = least + 4;
        const float left = x_of(most), right = x_of(least) + side - 1;
        list->AddRectFilled({left, y + theme.px(2)}, {right, y + theme.px(4)}, theme.ink_quiet);
        draw::text(list, theme.mono, {left, y + theme.px(5)}, theme.ink,
                   fmt::format("bank {}", picture.tile.bank_of(picture.cell)));
    }

    // What a load gets that computes the place as the store did, and one that goes row after row: where the XOR flips
    // bits, another element.
    void draw_loads(float y) const
    {
        const recording::Array& tile = picture.tile.tile();
        const uint32_t plain = picture.cell.row * tile.cols + picture.cell.col;
        const uint32_t found = picture.tile.element_at(plain);
        struct Load {
            const char* how;
            uint32_t from;
            Cell gets;
            Colour colour;
        };
        std::vector<Load> loads{{"with XOR", place, picture.cell, theme.good}};
        if (found != SharedTile::none)
            loads.push_back({"without",
                             plain,
                             {found / tile.cols, found % tile.cols},
                             plain == place ? theme.good : theme.warning});
        for (const Load& load : loads) {
            draw::text(list, theme.mono, {box.min.x, y}, theme.ink_quiet, fmt::format("{} {}", load.how, load.from));
            draw::text_right(list, theme.mono_bold, {x_of(0) + side, y}, load.colour,
                             element_name(tile.name, {load.gets}));
            const float left = x_of(0) + side - draw::measure(theme.mono_bold, "As(0, 00)").x - 2 * line;
            list->AddRectFilled({left, y + line * 0.2f}, {left + line * 0.7f, y + line * 0.9f}, load.colour);
            mark(picture.marks, fmt::format("{} found", load.how), {left, y + line * 0.2f},
                 {left + line * 0.7f, y + line * 0.9f});
            y += line + theme.px(2);
        }
    }

    const BitsPicture& picture;
    const Theme& theme;
    draw::Box box;
    ImDrawList* list;
    Mapping mapping;
    float line = 0, label = 0, gap = 0, side = 0;
    int row_bits = 1, col_bits = 1, place_bits = 1;
    uint32_t place = 0;
};

} // namespace

float bits_height(const Theme& theme)
{
    return 4 * draw::measure(theme.mono, "0").y + theme.px(32);
}

void draw_bits(const BitsPicture& picture, const draw::Box& box)
{
    BitsPainter(picture, box).draw();
}

} // namespace viz
