#include "viz/figure/painter.h"
#include "viz/figure/raster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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
        apart = std::min(width, height) >= (layer.joined ? 4 : 6) ? 1.0f : 0.0f;
        rows_apart = layer.rows_apart && height >= 6 ? 1.0f : apart;
        const Theme& theme = painter.theme;
        const ImVec2 words = draw::measure(theme.mono, layer.widest.empty() ? "00" : layer.widest);
        // If there are shorter words, text_in() selects them for each cell.
        const float least_height = layer.shorter.empty() && !layer.joined ? words.y : words.y - 3;
        // Joined cells are tested one by one. Each prints its words if they fit.
        const Box sight = painter.sight(box);
        rows = draw::in_sight(box.min.y, height, layer.rows, sight.min.y, sight.max.y);
        cols = draw::in_sight(box.min.x, width, layer.cols, sight.min.x, sight.max.x);
        printed =
            layer.words && (layer.joined || width >= std::floor(words.x) + painter.px(2)) && height >= least_height;
    }

    void paint()
    {
        if (shows_pixels())
            paint_pixels();
        else
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
        if (painter.tips_wanted() && layer.tip && painter.has_room_for_tip(width, height))
            add_tips();
        if (painter.points_at(box))
            point();
    }

private:
    Box box_of(uint32_t row, uint32_t end_row, uint32_t col, uint32_t end_col) const
    {
        const auto x = [&](uint32_t at) { return box.min.x + width * static_cast<float>(at); };
        const auto y = [&](uint32_t at) { return box.min.y + height * static_cast<float>(at); };
        return {{x(col), y(row)}, {x(end_col) - apart, y(end_row) - rows_apart}};
    }

    bool shows_pixels() const { return layer.kept != nullptr && apart == 0; }

    Colour colour_of(uint32_t row, uint32_t col) const
    {
        return shows_pixels() ? layer.colour(row, col) : colours[std::size_t{row} * layer.cols + col];
    }

    // Calls visit(col, end) for each cell of a row. Joined cells are one.
    template <class Visit>
    void each_cell(uint32_t row, Visit visit) const
    {
        for (uint32_t col = cols.first; col < cols.second;) {
            uint32_t end = col + 1;
            while (layer.joined && end < layer.cols && layer.joined(row, end) == layer.joined(row, col))
                ++end;
            if (colour_of(row, col) != 0)
                visit(col, end);
            col = end;
        }
    }

    // Gives each pixel the colour of the cell at its centre. Calls `colour` at most once for each cell.
    void paint_pixels()
    {
        const int across = std::max(1, static_cast<int>(std::lround(box.width()))),
                  down = std::max(1, static_cast<int>(std::lround(box.height())));
        const auto cell_at = [](int pixel, float size, uint32_t cells) {
            return std::min(static_cast<uint32_t>((static_cast<float>(pixel) + 0.5f) / size), cells - 1);
        };
        colours.clear();
        colours.reserve(static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
        for (int y = 0; y < down; ++y) {
            const uint32_t row = cell_at(y, height, layer.rows);
            if (y > 0 && cell_at(y - 1, height, layer.rows) == row) {
                const std::size_t above = colours.size() - static_cast<std::size_t>(across);
                for (int x = 0; x < across; ++x)
                    colours.push_back(colours[above + static_cast<std::size_t>(x)]);
                continue;
            }
            for (int x = 0; x < across; ++x) {
                const uint32_t col = cell_at(x, width, layer.cols);
                const bool same = x > 0 && cell_at(x - 1, width, layer.cols) == col;
                colours.push_back(same ? colours.back() : layer.colour(row, col));
            }
        }
        layer.kept->show(across, down, colours);
        painter.surface.raster({std::round(box.min.x), std::round(box.min.y)}, *layer.kept);
    }

    // If cells touch, draws runs of one colour in equal adjacent rows as one rectangle.
    void fill_cells()
    {
        colours.resize(std::size_t{layer.rows} * layer.cols);
        for (uint32_t row = rows.first; row < rows.second; ++row)
            for (uint32_t col = cols.first; col < cols.second; ++col)
                colours[std::size_t{row} * layer.cols + col] = layer.colour(row, col);
        const auto line = [&](uint32_t row) {
            return colours.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * layer.cols);
        };
        for (uint32_t row = rows.first; row < rows.second;) {
            const auto first = line(row);
            uint32_t next = row + 1;
            while (rows_apart == 0 && next < rows.second && std::equal(first, first + layer.cols, line(next)))
                ++next;
            for (uint32_t col = cols.first; col < cols.second;) {
                uint32_t end = col + 1;
                while (end < cols.second && first[end] == first[col] &&
                       (apart == 0 || (layer.joined && layer.joined(row, end) == layer.joined(row, col))))
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
        for (uint32_t row = rows.first; row < rows.second; ++row)
            each_cell(row, [&](uint32_t col, uint32_t end) {
                print_in(box_of(row, row + 1, col, end), ink_on(colour_of(row, col)), row, col);
            });
    }

    void print_in(Box place, Colour ink, uint32_t row, uint32_t col)
    {
        const Theme& theme = painter.theme;
        const auto put = [&](ImFont* font, const std::string& words) {
            return !words.empty() && painter.text_in(font, place, ink, words);
        };
        if (const std::vector<std::string> lines = lines_of(place, row, col); !lines.empty()) {
            const float line = draw::line_height(theme.mono);
            Box at = place;
            at.min.y = place.middle().y - line * static_cast<float>(lines.size()) / 2;
            for (std::size_t i = 0; i < lines.size(); ++i, at.min.y += line) {
                const bool last = i + 1 == lines.size();
                at.max.y = at.min.y + line;
                painter.text_in(last ? theme.mono_bold : theme.mono, at, last ? ink : draw::with_alpha(ink, 0.75f),
                                lines[i]);
            }
            return;
        }
        if (!layer.shorter.empty() || layer.joined) { // a gap between the digits of neighbouring cells
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

    // Returns no lines if none fit into the cell.
    std::vector<std::string> lines_of(const Box& place, uint32_t row, uint32_t col) const
    {
        const Theme& theme = painter.theme;
        const float line = draw::line_height(theme.mono),
                    room = place.width() - painter.px(4); // a gap between the digits of neighbouring cells
        for (const auto& some : layer.lines) {
            if (place.height() < 2 * line - painter.px(2)) // too low for two lines
                break;
            std::vector<std::string> lines = some(row, col);
            const auto fits = [&](const std::string& words) {
                ImFont* const font = &words == &lines.back() ? theme.mono_bold : theme.mono;
                return !words.empty() && draw::measure(font, words).x <= room;
            };
            if (place.height() >= line * static_cast<float>(lines.size()) - painter.px(2) &&
                std::ranges::all_of(lines, fits))
                return lines;
        }
        return {};
    }

    // Returns the words as printed, for tests and files.
    std::string words_of(const Box& place, uint32_t row, uint32_t col) const
    {
        if (!printed)
            return {};
        const std::vector<std::string> lines = lines_of(place, row, col);
        return lines.empty() ? layer.words(row, col) : fmt::format("{}", fmt::join(lines, " "));
    }

    void paint_frame(const CellLayer::Frame& frame)
    {
        const Box around = box_of(frame.row, frame.row + frame.rows, frame.col, frame.col + frame.cols);
        if (frame.colour != 0)
            painter.surface.outline({{around.min.x - 1, around.min.y - 1}, {around.max.x + 1, around.max.y + 1}},
                                    frame.colour, painter.px(frame.thick));
        const Colour face = colours[std::size_t{frame.row} * layer.cols + frame.col];
        const float edge = painter.px(2); // a gap between the digits of neighbouring cells
        painter.text_in(painter.theme.mono, {{around.min.x + edge, around.min.y}, {around.max.x - edge, around.max.y}},
                        ink_on(face), frame.words);
        if (!frame.name.empty())
            painter.mark(frame.name, around, {.colour = frame.colour, .label = frame.words});
    }

    void mark_cells()
    {
        for (uint32_t row = rows.first; row < rows.second; ++row)
            each_cell(row, [&](uint32_t col, uint32_t end) {
                const std::string id = layer.id ? layer.id(row, col) : fmt::format("{}({},{})", layer.name, row, col);
                const Box place = box_of(row, row + 1, col, end);
                if (!id.empty())
                    painter.mark(id, place, {layer.value(row, col), colour_of(row, col), words_of(place, row, col)});
            });
    }

    void add_tips()
    {
        for (uint32_t row = rows.first; row < rows.second; ++row)
            each_cell(row, [&](uint32_t col, uint32_t end) {
                painter.tip(box_of(row, row + 1, col, end), [&] { return layer.tip(row, col); });
            });
    }

    void point()
    {
        const ImVec2 mouse = *painter.pointer();
        const auto row = std::min(static_cast<uint32_t>((mouse.y - box.min.y) / height), layer.rows - 1);
        const auto col = std::min(static_cast<uint32_t>((mouse.x - box.min.x) / width), layer.cols - 1);
        if (colour_of(row, col) == 0)
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
    std::vector<Colour> colours;                            // of cells, or of pixels if they are cached
    float width = 1, height = 1, apart = 0, rows_apart = 0; // size of a cell; gaps between cells
    std::pair<uint32_t, uint32_t> rows, cols;               // first and end index of the visible cells
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
