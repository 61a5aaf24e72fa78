#include "viz/analysis/values.h"
#include "viz/figure/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace viz {

namespace {

Box pixels_of(const MatrixFrame& frame, const CellRect& rect, float least)
{
    const Box exact = frame.box_of(rect);
    const ImVec2 low{std::floor(exact.min.x), std::floor(exact.min.y)};
    return {low,
            {std::max(low.x + least, std::round(std::max(exact.max.x, exact.min.x + least))),
             std::max(low.y + least, std::round(std::max(exact.max.y, exact.min.y + least)))}};
}

// Returns whether elements are large enough for lines between them.
bool lined(const MatrixFrame& frame)
{
    return frame.cell >= 6 && frame.cell_height() >= 6;
}

// Draws the empty matrix: background, border and, if the elements are large enough, lines between them.
void draw_matrix(Surface& surface, const MatrixFrame& frame, const Theme& theme)
{
    const Box box = frame.box();
    surface.fill(box, draw::empty_colour(theme));
    const uint32_t last = frame.shape.wrapped ? frame.shape.count % frame.shape.cols : 0;
    if (last != 0) // the last row of a wrapped vector is shorter
        surface.fill({{box.min.x + frame.cell * static_cast<float>(last), box.max.y - frame.cell_height()}, box.max},
                     theme.background);
    surface.outline({{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}}, theme.border, 1);
    if (!lined(frame))
        return;
    const Colour line = draw::with_alpha(theme.border, 0.6f);
    for (uint32_t col = 1; col < frame.shape.cols; ++col) {
        const float x = std::round(box.min.x + frame.cell * static_cast<float>(col));
        surface.fill({{x, box.min.y}, {x + 1, box.max.y}}, line);
    }
    for (uint32_t row = 1; row < frame.shape.rows; ++row) {
        const float y = std::round(box.min.y + frame.cell_height() * static_cast<float>(row));
        surface.fill({{box.min.x, y}, {box.max.x, y + 1}}, line);
    }
}

// Fills parts of the matrix. Each is at least `least` pixels thick, so that single elements stay visible.
void fill_cells(Surface& surface, const MatrixFrame& frame, const std::vector<CellRect>& rects, Colour colour,
                float least)
{
    const Colour edge = draw::with_alpha(mix(colour, ink_on(colour), 0.5f), 0.22f);
    for (const CellRect& rect : rects) {
        surface.fill(pixels_of(frame, rect, least), colour);
        if (!lined(frame))
            continue;
        for (uint32_t row = 0; row < rect.rows; ++row)
            for (uint32_t col = 0; col < rect.cols; ++col) {
                const Box cell = pixels_of(frame, {rect.row + row, rect.col + col, 1, 1}, 1);
                surface.outline({cell.min, {cell.max.x + 1, cell.max.y + 1}}, edge, 1);
            }
    }
}

// Prints an element's name and value as far as there is room: see draw::NamedValue.
void print_value(Painter& painter, const Box& box, const draw::NamedValue& what)
{
    const Theme& theme = painter.theme;
    const float line = draw::measure(theme.mono, "0").y, big = draw::measure(theme.heading, "0").y;
    const bool both = what.named && !what.value.empty() && box.height() >= 2 * line + 2 &&
                      draw::measure(theme.mono, what.name).x + 2 <= box.width();
    const float above = both ? line : 0;
    const bool roomy = !what.value.empty() && box.height() >= above + big + theme.px(10) &&
                       draw::measure(theme.heading, what.value).x + theme.px(8) <= box.width();
    ImFont* font = roomy ? theme.heading : both ? theme.mono_bold : theme.mono;
    const std::string& words = what.value.empty() ? what.name : what.value;
    const float high = above + (roomy ? big : line) + 2, top = (box.min.y + box.max.y - high) / 2;
    if (both)
        painter.text_in(theme.mono, {{box.min.x, top}, {box.max.x, top + line}}, draw::with_alpha(what.ink, 0.65f),
                        what.name);
    painter.text_in(font, both ? Box{{box.min.x, top + line}, {box.max.x, top + high}} : box, what.ink, words);
}

void print_values(Painter& painter, const MatrixLayer& layer, const Box& sight)
{
    draw::each_element(layer.frame, sight, [&](const Cell& cell, const Box& box) {
        if (const draw::NamedValue value = layer.value(cell); !value.name.empty() || !value.value.empty())
            print_value(painter, box, value);
    });
}

void point_at_element(Painter& painter, const MatrixLayer& layer, const Cell& cell)
{
    Hit hit;
    if (layer.tip)
        hit.tip = [tip = layer.tip, cell] { return tip(cell); };
    if (layer.click)
        hit.click = layer.click(cell);
    painter.hit(std::move(hit));
}

// Returns the box around all cells of a part, with its minimum thickness.
Box around(const MatrixFrame& frame, const MatrixLayer::Part& part)
{
    Box all = frame.box_of(part.cells.front());
    for (const CellRect& rect : part.cells) {
        const Box one = frame.box_of(rect);
        all = {{std::min(all.min.x, one.min.x), std::min(all.min.y, one.min.y)},
               {std::max({all.max.x, one.max.x, one.min.x + part.least}),
                std::max({all.max.y, one.max.y, one.min.y + part.least})}};
    }
    return all;
}

// Returns n such that the numbers of each n-th row or column fit.
uint32_t ruler_step(float needed, float cell)
{
    uint32_t step = 1;
    while (step < 1u << 30 && static_cast<float>(step) * cell < needed)
        step *= 2;
    return step;
}

void paint_rulers(Painter& painter, const MatrixFrame& frame, const Box& ruled)
{
    const MapShape& shape = frame.shape;
    const ImVec2 text = draw::measure(painter.theme.mono, std::to_string(std::max(shape.cols, shape.rows)));
    const auto write = [&](uint64_t number, ImVec2 at, float distance, Label::Side side) {
        painter.label({.words = std::to_string(number), .at = at, .distance = distance, .side = side, .mono = true});
    };
    const uint32_t across = ruler_step(text.x + painter.px(14), frame.cell);
    for (uint32_t col = 0; col < shape.cols; col += across)
        if (const float x = frame.box_of({0, col, 1, 1}).middle().x; x >= ruled.min.x && x <= ruled.max.x)
            write(col, {x, ruled.min.y}, 3, Label::Side::above);
    const uint32_t down = ruler_step(text.y + painter.px(6), frame.cell_height());
    const float highest = ruled.min.y - painter.px(3) + text.y / 2;
    for (uint32_t row = 0; row < shape.rows; row += down)
        if (const float y = frame.box_of({row, 0, 1, 1}).middle().y; y >= ruled.min.y && y <= ruled.max.y)
            write(shape.wrapped ? uint64_t{row} * shape.cols : row, {ruled.min.x, std::max(y, highest)}, 6,
                  Label::Side::left);
}

std::string term_text(Cell element, uint32_t k)
{
    return fmt::format("{}A({},{})B({},{})", k == 0 ? ' ' : '+', element.row, k, k, element.col);
}

// Returns " = 3·5", or an empty string if the values are not known.
std::string value_text(const SumTerms& what, uint32_t k)
{
    const auto a = value_of(what.recording, 0, {what.element.row, k});
    const auto b = value_of(what.recording, 1, {k, what.element.col});
    return a && b ? fmt::format(" = {}·{}", short_value(what.recording, *a), short_value(what.recording, *b)) : "";
}

// Places the terms in as many columns as fit. The last term is always shown.
class TermColumns {
public:
    TermColumns(const Theme& colours, const Box& place, const SumTerms& about)
        : theme(colours), box(place), what(about), terms(about.recording.arrays[0].cols),
          line(std::ceil(draw::measure(colours.mono, "0").y + colours.px(2)))
    {
        const std::string last = term_text(what.element, terms - 1);
        const std::string widest = value_text(what, terms - 1).empty() ? "" : " = -0.00·-0.00";
        const float gap = theme.px(14);
        valued = draw::measure(theme.mono, last + widest).x <= box.width();
        width = draw::measure(theme.mono, valued ? last + widest : last).x + gap;
        columns = static_cast<uint32_t>(std::max(1.0f, (box.width() + gap) / width));
        lines = static_cast<uint32_t>(std::max(1.0f, box.height() / line));
    }

    std::vector<Label> labels()
    {
        const uint32_t room = lines * columns;
        if (room >= terms) {
            for (uint32_t k = 0; k < terms; ++k)
                term(k);
            if (room > terms)
                result();
        } else if (room >= 3) {
            // Shows the terms around the highlighted one, or else the first ones.
            const uint32_t shown = room - (room >= 4 ? 3 : 2);
            const uint32_t pointed = what.pointed.value_or(0);
            const uint32_t from = std::min(pointed - std::min(pointed, shown / 2), terms - shown - 1);
            for (uint32_t k = from; k < from + shown; ++k)
                term(k);
            next(draw::with_alpha(what.ink, 0.6f), "  ...");
            term(terms - 1);
            if (room >= 4)
                result();
        }
        return std::move(written);
    }

private:
    void term(uint32_t k)
    {
        next(what.pointed == k ? what.lit : draw::with_alpha(what.ink, 0.8f),
             term_text(what.element, k) + (valued ? value_text(what, k) : ""));
    }

    void result()
    {
        if (const auto all = partial_sum(what.recording, what.element, 0, terms)) {
            next(what.ink, " = " + short_value(what.recording, *all));
            written.back().name = "sum";
        }
    }

    void next(Colour ink, const std::string& words)
    {
        const std::size_t at = written.size();
        written.push_back({.words = words,
                           .at = {box.min.x + width * static_cast<float>(at / lines),
                                  box.min.y + line * (static_cast<float>(at % lines) + 0.5f)},
                           .distance = 0,
                           .colour = ink,
                           .side = Label::Side::right,
                           .mono = true});
    }

    const Theme& theme;
    const Box& box;
    const SumTerms& what;
    uint32_t terms;
    float line, width = 1;
    bool valued = false;
    uint32_t columns = 1, lines = 1;
    std::vector<Label> written;
};

} // namespace

ImVec2 ruler_size(const Theme& theme, const MapShape& shape)
{
    const ImVec2 text = draw::measure(theme.mono, std::to_string(shape.wrapped ? shape.count : shape.rows));
    return {std::ceil(text.x + theme.px(8)), std::ceil(text.y + theme.px(4))};
}

void paint(Painter& painter, const MatrixLayer& layer, const Box& box)
{
    const MatrixFrame& frame = layer.frame;
    if (frame.shape.rows == 0 || frame.shape.cols == 0)
        return;
    if (!layer.bare)
        draw_matrix(painter.surface, frame, painter.theme);
    for (const MatrixLayer::Part& part : layer.parts) {
        fill_cells(painter.surface, frame, part.cells, part.colour, part.least);
        if (!part.name.empty() && !part.cells.empty())
            painter.mark(part.name, around(frame, part), {.colour = part.colour});
    }
    if (!layer.name.empty())
        painter.mark(layer.name, frame.box(), {});
    if (layer.value && draw::values_fit(painter.theme, layer.widest, frame))
        print_values(painter, layer, box);
    if (layer.ruled)
        paint_rulers(painter, frame, *layer.ruled);
    if (painter.tips_wanted() && layer.tip && painter.has_room_for_tip(frame.cell, frame.cell_height()))
        draw::each_element(frame, box, [&](const Cell& cell, const Box& place) {
            painter.tip(place, [&] { return layer.tip(cell); });
        });
    if ((layer.tip || layer.click) && painter.points_at(box))
        if (const auto cell = frame.element_under(*painter.pointer()))
            point_at_element(painter, layer, *cell);
}

float longest_term(const Theme& theme, const recording::Recording& recording)
{
    const recording::Array &a = recording.arrays[0], &b = recording.arrays[1];
    return draw::measure(theme.mono,
                         term_text({std::max(1u, a.rows) - 1, std::max(1u, b.cols) - 1}, std::max(2u, a.cols) - 1))
        .x;
}

std::vector<Label> sum_terms(const Theme& theme, const Box& box, const SumTerms& what)
{
    if (what.recording.arrays.size() < 3 || what.recording.arrays[0].cols == 0)
        return {};
    return TermColumns(theme, box, what).labels();
}

} // namespace viz
