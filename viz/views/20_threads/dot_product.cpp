#include "viz/views/20_threads/dot_product.h"

#include "viz/analysis/hierarchy.h"
#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"
#include "viz/draw/sum_terms.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

float term_label_height(const Theme& theme)
{
    return draw::row_height(theme, 3, theme.mono_bold);
}

class ProductPainter {
public:
    ProductPainter(ImDrawList* canvas, const DotProduct& product, const DotProductPlace& boxes)
        : list(canvas), what(product), place(boxes), theme(product.theme())
    {
    }

    // Rows of A or columns of B: what of them the part of C needs.
    void band(const CellRect& rect, Colour colour) const
    {
        const auto [low, high] = to_screen(place.map, what.camera, rect);
        fill({{place.a.min.x, low.y}, {place.a.max.x, std::max(high.y, low.y + 2)}}, place.a, colour);
        fill({{low.x, place.b.min.y}, {std::max(high.x, low.x + 2), place.b.max.y}}, place.b, colour);
    }

    void element() const
    {
        const CellRect c{what.element.row, what.element.col, 1, 1};
        band(c, theme.ink);
        const auto [low, high] = to_screen(place.map, what.camera, c);
        if (low.y >= place.a.min.y && low.y < place.a.max.y)
            mark(what.marks(), "row of A", {place.a.min.x, low.y}, {place.a.max.x, std::max(high.y, low.y + 2)});
        if (low.x >= place.b.min.x && low.x < place.b.max.x)
            mark(what.marks(), "column of B", {low.x, place.b.min.y}, {std::max(high.x, low.x + 2), place.b.max.y});
    }

    // The two factors of one term.
    void term(uint32_t k) const
    {
        const float across = place.a.width() / static_cast<float>(what.terms()),
                    left = place.a.min.x + across * static_cast<float>(k);
        const float down = place.b.height() / static_cast<float>(what.terms()),
                    top = place.b.min.y + down * static_cast<float>(k);
        const ImVec2 at = to_screen(place.map, what.camera, what.element.row, what.element.col);
        const auto cell = static_cast<float>(what.camera.cell);
        const float least = theme.px(5);
        fill({{left, at.y}, {left + std::max(across, least), at.y + std::max(cell, least)}}, place.a, what.accent());
        fill({{at.x, top}, {at.x + std::max(cell, least), top + std::max(down, least)}}, place.b, what.accent());
    }

    // As many terms as have room, the last one in any case.
    void sum(std::optional<uint32_t> pointed) const
    {
        const float line = draw::row_height(theme, 2, theme.mono);
        const Cell& c = what.element;
        float y = place.sum.min.y;
        list->PushClipRect(place.sum.min, place.sum.max, true);
        const auto write = [&](ImFont* font, Colour ink, const std::string& words) {
            draw::text(list, font, {place.sum.min.x, y}, ink, words);
            y += line;
        };
        if (what.owner) {
            const Value block = index_text(what.owner->block_index, what.recording().launch.grid);
            const Value thread = index(what.owner->thread), warp = what.owner->warp, lane = what.owner->lane;
            const std::string words[] = {
                plain({"threads.callout", {{"block", block}, {"thread", thread}, {"warp", warp}, {"lane", lane}}}),
                plain({"threads.callout_short", {{"block", block}, {"thread", thread}}}),
                plain({"threads.callout_thread", {{"thread", thread}}})};
            write(theme.text, what.accent(), draw::first_fitting(theme.text, place.sum.width(), words));
        }
        write(theme.mono_bold, theme.ink, fmt::format("C({},{}) =", c.row, c.col));
        draw::sum_terms(list, theme, {{place.sum.min.x, y}, place.sum.max},
                        {what.recording(), c, theme.ink_quiet, pointed, what.accent(), what.marks()});
        list->PopClipRect();
    }

    // Of the elements of A and B, where rows, columns and terms have room for them.
    void values() const
    {
        const ImVec2 least = draw::measure(theme.mono, widest_value(what.recording()));
        const auto terms = static_cast<float>(what.terms());
        const float across = place.a.width() / terms, down = place.b.height() / terms;
        const auto high = static_cast<float>(what.camera.cell);
        const recording::Array &a = what.recording().arrays[0], &b = what.recording().arrays[1];
        for (uint32_t row = 0; row < a.rows && across > least.x && high > least.y; ++row)
            for (uint32_t k = 0; k < what.terms(); ++k) {
                const float y = to_screen(place.map, what.camera, row, 0).y;
                const float x = place.a.min.x + across * static_cast<float>(k);
                value_in({{x, y}, {x + across, y + high}}, place.a, 0, {row, k}, row == what.element.row);
            }
        for (uint32_t col = 0; col < b.cols && high > least.x && down > least.y; ++col)
            for (uint32_t k = 0; k < what.terms(); ++k) {
                const float x = to_screen(place.map, what.camera, 0, col).x;
                const float y = place.b.min.y + down * static_cast<float>(k);
                value_in({{x, y}, {x + high, y + down}}, place.b, 1, {k, col}, col == what.element.col);
            }
    }

    void names() const
    {
        const float label = term_label_height(theme);
        draw::text(list, theme.mono_bold, {place.a.min.x, place.a.min.y - label}, theme.ink, "A");
        const float width = draw::measure(theme.mono_bold, "B").x + theme.px(5);
        draw::text(list, theme.mono_bold, {place.b.min.x - width, place.b.min.y}, theme.ink, "B");
        if (!what.numbers)
            return;
        const std::string numbers = plain(*what.numbers);
        const float room = place.a.max.x - place.a.min.x - width - theme.px(4);
        if (draw::measure(theme.text, numbers).x > room)
            return;
        draw::text_right(list, theme.text, {place.a.max.x, place.a.min.y - label}, theme.ink_quiet, numbers);
        mark(what.marks(), numbers, {place.a.min.x, place.a.min.y - label}, {place.a.max.x, place.a.min.y});
    }

private:
    void value_in(const draw::Box& box, const draw::Box& within, std::size_t array, const Cell& cell, bool lit) const
    {
        const auto value = value_of(what.recording(), array, cell);
        if (!value || box.min.y < within.min.y || box.max.y > within.max.y + 1 || box.min.x < within.min.x ||
            box.max.x > within.max.x + 1)
            return;
        draw::named_value(
            list, theme, box,
            {element_name(what.recording().arrays[array].name, {cell}), short_value(what.recording(), *value),
             lit ? ink_on(theme.ink) : theme.ink, draw::names_fit(theme, what.recording().arrays[array], box.width())});
    }

    void fill(const draw::Box& box, const draw::Box& within, Colour colour) const
    {
        const ImVec2 low{std::max(box.min.x, within.min.x), std::max(box.min.y, within.min.y)};
        const ImVec2 high{std::min(box.max.x, within.max.x), std::min(box.max.y, within.max.y)};
        if (high.x > low.x && high.y > low.y)
            list->AddRectFilled(low, high, colour);
    }

    ImDrawList* list;
    const DotProduct& what;
    const DotProductPlace& place;
    const Theme& theme;
};

std::optional<uint32_t> k_under(const DotProduct& what, const DotProductPlace& place, ImVec2 mouse)
{
    const auto part = [&](float at, float from, float length) {
        return std::min(static_cast<uint32_t>((at - from) / length * static_cast<float>(what.terms())),
                        what.terms() - 1);
    };
    if (place.a.holds(mouse))
        return part(mouse.x, place.a.min.x, place.a.width());
    if (place.b.holds(mouse))
        return part(mouse.y, place.b.min.y, place.b.height());
    return {};
}

} // namespace

DotProductPlace dot_product_place(const Theme& theme, const draw::Box& box, const MapShape& shape,
                                  const recording::Recording& recording)
{
    const ImVec2 ruler = ruler_size(shape, theme);
    const float gap = theme.px(8), label = term_label_height(theme);
    const float longest = draw::longest_term(theme, recording) + theme.px(2);
    const float least_a = std::max(longest, box.width() * 0.22f), least_b = std::max(theme.px(90), box.height() * 0.2f);
    const float width = box.width() - ruler.x - gap - least_a, height = box.height() - ruler.y - gap - least_b;
    const float cell =
        std::max(0.001f, std::min(width / static_cast<float>(shape.cols), height / static_cast<float>(shape.rows)));
    const ImVec2 corner{std::floor(box.max.x - cell * static_cast<float>(shape.cols)),
                        std::floor(box.max.y - cell * static_cast<float>(shape.rows))};
    DotProductPlace place;
    place.map = {corner, {std::floor(box.max.x), std::floor(box.max.y)}};
    place.a = {{box.min.x, corner.y}, {corner.x - ruler.x - gap, place.map.max.y}};
    place.b = {{corner.x, box.min.y}, {place.map.max.x, corner.y - ruler.y - gap}};
    place.sum = {box.min, {place.a.max.x, corner.y - label - theme.px(4)}};
    return place;
}

std::optional<uint32_t> draw_dot_product(ImDrawList* list, const DotProduct& what, const DotProductPlace& place)
{
    const Theme& theme = what.theme();
    const ProductPainter painter(list, what, place);
    for (const draw::Box* box : {&place.a, &place.b}) {
        list->AddRectFilled(box->min, box->max, draw::empty_colour(theme));
        list->AddRect(box->min, box->max, theme.border);
    }
    for (const CellRect& rect : what.outlined.block)
        painter.band(rect, mix(theme.panel, what.accent(), 0.2f));
    for (const CellRect& rect : what.outlined.warp)
        painter.band(rect, mix(theme.panel, what.accent(), 0.35f));
    for (const CellRect& rect : what.outlined.thread)
        painter.band(rect, mix(theme.panel, what.accent(), 0.6f));
    painter.element();
    const auto pointed = ImGui::IsWindowHovered() ? k_under(what, place, ImGui::GetMousePos()) : std::nullopt;
    if (pointed)
        painter.term(*pointed);
    painter.values();
    painter.names();
    painter.sum(pointed);
    return pointed;
}

} // namespace viz
