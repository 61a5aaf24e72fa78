#include "viz/views/35_layout/bits_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace viz {

namespace {

// How many bits numbers below `count` have.
int bits_of(uint64_t count)
{
    return std::max(1, static_cast<int>(std::bit_width(std::max<uint64_t>(count, 1) - 1)));
}

class BitsPainter {
public:
    BitsPainter(const StagePart& part, const SharedTile& tile, const Cell& of, const draw::Box& where)
        : side(tile), theme(part.theme()), accent(part.accent()), marks(part.marks()), cell(of), box(where),
          list(ImGui::GetWindowDrawList()), mapping(tile.explained(tile.shown().mapping)), place(tile.place_of(of)),
          row_bits(bits_of(tile.tile().rows)), col_bits(bits_of(tile.tile().cols))
    {
        line = draw::line_height(theme.mono);
        place_bits = std::max(bits_of(side.places()), row_bits + col_bits);
        label = draw::measure(theme.mono, "place 0000").x + theme.px(8);
        gap = theme.px(6);
        width = std::clamp((box.width() - label - gap) / static_cast<float>(place_bits), theme.px(7), theme.px(40));
    }

    void draw()
    {
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
        const float right = box.min.x + label + width * static_cast<float>(place_bits) + gap;
        return right - width * static_cast<float>(bit + 1) - (bit >= col_bits ? gap : 0);
    }

    void draw_number(uint32_t number, int count, int first, float y, float high, uint32_t special, bool filled) const
    {
        for (int bit = 0; bit < count; ++bit) {
            const draw::Box face_box{{x_of(first + bit), y}, {x_of(first + bit) + width - 1, y + high}};
            const bool one = number >> bit & 1u, marked = special >> bit & 1u;
            const Colour face = marked && filled ? accent
                                : one            ? mix(theme.panel, theme.ink, 0.4f)
                                                 : draw::empty_colour(theme);
            list->AddRectFilled(face_box.min, face_box.max, face);
            if (marked && !filled)
                list->AddRect(face_box.min, face_box.max, accent, 0, 0, theme.px(2));
            if (marked)
                mark(marks, fmt::format("{} bit {}", filled ? "flipped" : "deciding", bit), face_box);
            draw::text_in(list, theme.mono, face_box, ink_on(face), one ? "1" : "0");
        }
    }

    // From a bit that decides down to the one that it flips, or would flip.
    void draw_arrow(int from, int to, float top, float bottom, bool flips) const
    {
        const ImVec2 a{x_of(from) + width / 2, top}, b{x_of(to) + width / 2, bottom};
        const float middle = (top + bottom) / 2;
        list->AddBezierCubic(a, {a.x, middle}, {b.x, middle}, b, flips ? accent : theme.ink_faint,
                             theme.px(flips ? 2.0f : 1.0f));
    }

    // Under the bits of the place that say the bank.
    void draw_bank(float y) const
    {
        const uint32_t bytes = side.tile().element_bytes;
        if (bytes > model::bank_bytes)
            return;
        const int least = std::countr_zero(model::bank_bytes / std::max(1u, bytes)), most = least + 4;
        const float left = x_of(most), right = x_of(least) + width - 1;
        list->AddRectFilled({left, y + theme.px(2)}, {right, y + theme.px(4)}, theme.ink_quiet);
        draw::text(list, theme.mono, {left, y + theme.px(5)}, theme.ink, fmt::format("bank {}", side.bank_of(cell)));
    }

    // What a load gets that computes the place as the store did, and one that goes row after row: where the XOR flips
    // bits, another element.
    void draw_loads(float y) const
    {
        const recording::Array& tile = side.tile();
        const uint32_t plain = cell.row * tile.cols + cell.col;
        const uint32_t found = side.element_at(plain);
        struct Load {
            const char* how;
            uint32_t from;
            Cell gets;
            Colour colour;
        };
        std::vector<Load> loads{{"with XOR", place, cell, theme.good}};
        if (found != SharedTile::none)
            loads.push_back({"without",
                             plain,
                             {found / tile.cols, found % tile.cols},
                             plain == place ? theme.good : theme.warning});
        for (const Load& load : loads) {
            draw::text(list, theme.mono, {box.min.x, y}, theme.ink_quiet, fmt::format("{} {}", load.how, load.from));
            draw::text_right(list, theme.mono_bold, {x_of(0) + width, y}, load.colour,
                             element_name(tile.name, {load.gets}));
            const float left = x_of(0) + width - draw::measure(theme.mono_bold, "As(0, 00)").x - 2 * line;
            const draw::Box square{{left, y + line * 0.2f}, {left + line * 0.7f, y + line * 0.9f}};
            list->AddRectFilled(square.min, square.max, load.colour);
            mark(marks, fmt::format("{} found", load.how), square);
            y += line + theme.px(2);
        }
    }

    const SharedTile& side;
    const Theme& theme;
    Colour accent; // of what is flipped
    Marks* marks;
    Cell cell;
    draw::Box box;
    ImDrawList* list;
    const Mapping& mapping;
    uint32_t place;
    int row_bits, col_bits, place_bits = 1;
    float line = 0, label = 0, gap = 0, width = 0; // width: of a bit
};

} // namespace

float bits_height(const Theme& theme)
{
    return 4 * draw::line_height(theme.mono) + theme.px(32);
}

void draw_bits(const StagePart& part, const SharedTile& tile, const Cell& cell, const draw::Box& box)
{
    BitsPainter(part, tile, cell, box).draw();
}

} // namespace viz
