#include "viz/figure/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

class CellPainter {
public:
    CellPainter(Painter& with, const CellLayer& what, const Box& place) : painter(with), layer(what), box(place)
    {
        width = box.width() / static_cast<float>(layer.cols);
        height = box.height() / static_cast<float>(layer.rows);
        if (layer.square) {
            width = height = std::min(width, height);
            box.max = {box.min.x + width * static_cast<float>(layer.cols),
                       box.min.y + height * static_cast<float>(layer.rows)};
        }
        apart = std::min(width, height) >= 6 ? 1.0f : 0.0f;
        const Theme& theme = painter.theme;
        const ImVec2 words = draw::measure(theme.mono, layer.widest.empty() ? "00" : layer.widest);
        // Where there are shorter words, each cell has those that fit, as text_in() says.
        const float least_height = layer.shorter.empty() ? words.y : words.y - 3;
        printed = layer.words && width >= words.x + painter.px(2) && height >= least_height;
    }

    void paint()
    {
        colours.resize(std::size_t{layer.rows} * layer.cols);
        for (uint32_t row = 0; row < layer.rows; ++row)
            for (uint32_t col = 0; col < layer.cols; ++col)
                colours[std::size_t{row} * layer.cols + col] = layer.colour(row, col);
        fill_cells();
        if (printed)
            print();
        if (layer.bordered)
            painter.surface.outline({{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}},
                                    painter.theme.border, 1);
        for (const CellLayer::Frame& frame : layer.frames)
            paint_frame(frame);
        if (!layer.name.empty())
            painter.mark(layer.name, box, {});
        if (painter.marks_wanted() && layer.value)
            mark_cells();
        if (painter.points_at(box))
            point();
    }

private:
    Box box_of(uint32_t row, uint32_t end_row, uint32_t col, uint32_t end_col) const
    {
        const auto x = [&](uint32_t at) { return box.min.x + width * static_cast<float>(at); };
        const auto y = [&](uint32_t at) { return box.min.y + height * static_cast<float>(at); };
        return {{x(col), y(row)}, {x(end_col) - apart, y(end_row) - apart}};
    }

    // Where cells touch, rows that are the same as the one above and runs within a row are drawn as one.
    void fill_cells()
    {
        const auto line = [&](uint32_t row) {
            return colours.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * layer.cols);
        };
        for (uint32_t row = 0; row < layer.rows;) {
            const auto first = line(row);
            uint32_t next = row + 1;
            while (apart == 0 && next < layer.rows && std::equal(first, first + layer.cols, line(next)))
                ++next;
            for (uint32_t col = 0; col < layer.cols;) {
                uint32_t end = col + 1;
                while (apart == 0 && end < layer.cols && first[end] == first[col])
                    ++end;
                if (first[col] != 0)
                    painter.surface.fill(box_of(row, next, col, end), first[col]);
                col = end;
            }
            row = next;
        }
    }

    void print()
    {
        for (uint32_t row = 0; row < layer.rows; ++row)
            for (uint32_t col = 0; col < layer.cols; ++col)
                if (const Colour face = colours[std::size_t{row} * layer.cols + col]; face != 0)
                    print_in(box_of(row, row + 1, col, col + 1), ink_on(face), row, col);
    }

    void print_in(Box place, Colour ink, uint32_t row, uint32_t col)
    {
        const Theme& theme = painter.theme;
        const auto put = [&](ImFont* font, const std::string& words) {
            return !words.empty() && painter.text_in(font, place, ink, words);
        };
        if (const auto lines = two_lines(place, row, col)) {
            const float middle = place.middle().y, line = draw::line_height(theme.mono);
            painter.text_in(theme.mono, {{place.min.x, middle - line}, {place.max.x, middle}},
                            draw::with_alpha(ink, 0.75f), lines->first);
            painter.text_in(theme.mono_bold, {{place.min.x, middle}, {place.max.x, middle + line}}, ink, lines->second);
            return;
        }
        if (!layer.shorter.empty()) { // or the digits of neighbours run together
            place.min.x += painter.px(2);
            place.max.x -= painter.px(2);
        }
        const std::string words = layer.words(row, col);
        const bool high = layer.large && height >= draw::line_height(theme.heading) + painter.px(8);
        if ((high && put(theme.heading, words)) || put(theme.mono, words))
            return;
        for (const auto& shorter : layer.shorter)
            if (put(theme.mono, shorter(row, col)))
                return;
    }

    // Nothing where the cell has no room for them, or only one.
    std::optional<std::pair<std::string, std::string>> two_lines(const Box& place, uint32_t row, uint32_t col) const
    {
        const Theme& theme = painter.theme;
        if (!layer.two_lines || place.height() < 2 * draw::line_height(theme.mono) - painter.px(2))
            return {};
        auto lines = layer.two_lines(row, col);
        const float room = place.width() - painter.px(4); // or the digits of neighbours run together
        const bool fit =
            draw::measure(theme.mono, lines.first).x <= room && draw::measure(theme.mono_bold, lines.second).x <= room;
        if (!fit || lines.first.empty() || lines.second.empty())
            return {};
        return lines;
    }

    // For tests and files.
    std::string words_of(const Box& place, uint32_t row, uint32_t col) const
    {
        if (!printed)
            return {};
        const auto lines = two_lines(place, row, col);
        return lines ? lines->first + " " + lines->second : layer.words(row, col);
    }

    void paint_frame(const CellLayer::Frame& frame)
    {
        const Box around = box_of(frame.row, frame.row + frame.rows, frame.col, frame.col + frame.cols);
        if (frame.colour != 0)
            painter.surface.outline({{around.min.x - 1, around.min.y - 1}, {around.max.x + 1, around.max.y + 1}},
                                    frame.colour, painter.px(frame.thick));
        const Colour face = colours[std::size_t{frame.row} * layer.cols + frame.col];
        const float edge = painter.px(2); // or the digits of neighbours run together
        painter.text_in(painter.theme.mono, {{around.min.x + edge, around.min.y}, {around.max.x - edge, around.max.y}},
                        ink_on(face), frame.words);
        if (!frame.name.empty())
            painter.mark(frame.name, around, {.colour = frame.colour, .label = frame.words});
    }

    void mark_cells()
    {
        for (uint32_t row = 0; row < layer.rows; ++row)
            for (uint32_t col = 0; col < layer.cols; ++col)
                if (const Colour face = colours[std::size_t{row} * layer.cols + col]; face != 0) {
                    const Box place = box_of(row, row + 1, col, col + 1);
                    painter.mark(fmt::format("{}({},{})", layer.name, row, col), place,
                                 {layer.value(row, col), face, words_of(place, row, col)});
                }
    }

    void point()
    {
        const ImVec2 mouse = *painter.pointer();
        const auto row = std::min(static_cast<uint32_t>((mouse.y - box.min.y) / height), layer.rows - 1);
        const auto col = std::min(static_cast<uint32_t>((mouse.x - box.min.x) / width), layer.cols - 1);
        if (colours[std::size_t{row} * layer.cols + col] == 0)
            return;
        Hit hit;
        if (layer.tip)
            hit.tip = [this_tip = layer.tip, row, col] { return this_tip(row, col); };
        if (layer.click)
            hit.click = [click = layer.click, row, col](const ViewScene& scene) { click(scene, row, col); };
        painter.hit(std::move(hit));
    }

    Painter& painter;
    const CellLayer& layer;
    Box box;
    std::vector<Colour> colours;
    float width = 1, height = 1, apart = 0; // of a cell; between two
    bool printed = false;
};

} // namespace

void paint(Painter& painter, const CellLayer& layer, const Box& box)
{
    const Box place = layer.box.value_or(box);
    if (layer.rows > 0 && layer.cols > 0 && place.width() > 0 && place.height() > 0)
        CellPainter(painter, layer, layer.box.value_or(box)).paint();
}

} // namespace viz
