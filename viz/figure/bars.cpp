#include "viz/draw/rich_text.h"
#include "viz/figure/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace viz {

namespace {

using Bar = BarLayer::Bar;
using Part = BarLayer::Part;

bool is_heading(const Bar& bar)
{
    return bar.parts.empty() && bar.missing.empty();
}

// Returns the number of bars in a row, which are one below another.
std::size_t most_parts(const BarLayer& layer)
{
    std::size_t most = 1;
    for (const Bar& bar : layer.bars)
        most = std::max(most, layer.stacked ? std::size_t{1} : bar.parts.size());
    return most;
}

// Returns the minimum height of a row that is not a heading.
float least_row(const Theme& theme, const BarLayer& layer)
{
    const auto parts = static_cast<float>(most_parts(layer));
    const float line = draw::row_height(theme, 0);
    if (layer.names == BarLayer::Names::above)
        return line + theme.px(8) * parts + theme.px(8);
    if (layer.numbers == BarLayer::Numbers::in_columns)
        return std::max(line, theme.px(7) * parts + theme.px(3));
    return std::max(line, theme.px(7) * parts) + theme.px(3);
}

// Returns the height of the numbers below an axis.
float ticks_height(const Theme& theme)
{
    return draw::row_height(theme, 5, theme.mono);
}

// Returns the height of the sentence below all bars.
float foot_height(const Theme& theme)
{
    return draw::row_height(theme, 2);
}

class BarPainter {
public:
    BarPainter(Painter& with, const BarLayer& what, const Box& place)
        : painter(with), layer(what), theme(with.theme), box(place), parts(most_parts(what)),
          line(draw::row_height(theme, 0)), above(layer.names == BarLayer::Names::above),
          tabular(layer.numbers == BarLayer::Numbers::in_columns)
    {
        if (layer.foot)
            box.max.y = foot_top = box.max.y - foot_height(theme);
        if (layer.axis)
            box.max.y -= ticks_height(theme);
        share_height();
        share_width();
    }

    void paint()
    {
        float top = box.min.y;
        if (layer.axis && shown > 0)
            paint_ticks_below(painter, Scale(*layer.axis, left, right),
                              {{left, top}, {right, top + row * static_cast<float>(shown)}}, box);
        for (std::size_t i = 0; i < shown; ++i) {
            const float height = is_heading(layer.bars[i]) ? line : row;
            paint_bar(layer.bars[i], {{box.min.x, top}, {box.max.x, top + height}});
            top += height;
        }
        if (layer.foot && shown > 0)
            paint_foot(std::min(top + painter.px(2), foot_top));
    }

private:
    // Determines how many rows fit, and their height.
    void share_height()
    {
        const float least = least_row(theme, layer);
        float taken = 0;
        for (const Bar& bar : layer.bars) {
            taken += is_heading(bar) ? line : least;
            if (taken > box.height())
                break;
            ++shown;
        }
        while (shown > 0 && is_heading(layer.bars[shown - 1]))
            --shown;
        const auto headings =
            std::count_if(layer.bars.begin(), layer.bars.begin() + static_cast<std::ptrdiff_t>(shown), is_heading);
        const float room = box.height() - line * static_cast<float>(headings);
        const float count = static_cast<float>(parts);
        const float most_high = above ? line + painter.px(60) * count
                                : tabular || (layer.stacked && layer.on_ground)
                                    ? std::max(3.5f * line, painter.px(14) * count)
                                    : 2.2f * line;
        row = std::min(room / std::max(static_cast<float>(shown) - static_cast<float>(headings), 1.0f),
                       std::max(most_high, least));
    }

    // Divides the width among names, numbers and bars.
    void share_width()
    {
        float names = 0, numbers = 0;
        bool signs = false;
        for (std::size_t i = 0; i < shown; ++i) {
            const Bar& bar = layer.bars[i];
            most = layer.most > 0 ? layer.most : std::max(most, longest(bar));
            if (is_heading(bar))
                continue;
            names = std::max(names, draw::measure(theme.text, bar.name).x);
            signs = signs || bar.origin;
            numbers = std::max(numbers, draw::measure(theme.mono_bold, bar.words).x);
            for (std::size_t part = 0; part < bar.parts.size(); ++part) {
                const float width = draw::measure(theme.mono_bold, bar.parts[part].words).x;
                if (tabular) {
                    column_widths.resize(std::max(column_widths.size(), part + 1));
                    column_widths[part] = std::max(column_widths[part], width + painter.px(10));
                } else if (!layer.stacked)
                    numbers = std::max(numbers, width);
            }
        }
        float in_columns = 0;
        for (const float width : column_widths)
            in_columns += width;
        sign = signs && !above ? painter.px(16) : 0;
        const float name_room = above ? 0 : std::min(names, 0.56f * box.width()) + sign;
        numbers_left = std::round(box.min.x + name_room);
        left = std::round(numbers_left + in_columns + painter.px(above ? 6 : 8));
        right = std::max(box.max.x - numbers - painter.px(numbers > 0 || !tabular ? 8 : 0), left + 1);
    }

    double longest(const Bar& bar) const
    {
        double sum = 0, one = 0;
        for (const Part& part : bar.parts) {
            sum += part.value.value_or(0);
            one = std::max({one, part.value.value_or(0), part.ground});
        }
        for (const LimitLine& limit : bar.limits)
            one = std::max(one, limit.value);
        return layer.stacked ? std::max(sum, one) : one;
    }

    float x_of(double value) const
    {
        if (layer.axis)
            return std::clamp(Scale(*layer.axis, left, right).at(value), left, right);
        const double share = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
        return left + (right - left) * static_cast<float>(share);
    }

    std::string id_of(const Bar& bar, const Part& part) const
    {
        if (!part.id.empty())
            return part.id;
        return fmt::format("{}{}{}", bar.id.empty() ? bar.name : bar.id, part.series.empty() ? "" : " ", part.series);
    }

    std::string mark_of(std::string_view id) const
    {
        return fmt::format("{}{}{}", layer.name, layer.name.empty() ? "" : ":", id);
    }

    void paint_bar(const Bar& bar, const Box& place)
    {
        if (bar.lit)
            painter.surface.fill({place.min, {place.max.x, place.max.y - painter.px(above ? 3 : 0)}},
                                 mix(theme.background, theme.ink, 0.1f), above ? painter.px(4) : 0);
        if (bar.rule)
            painter.surface.fill({place.min, {place.max.x, place.min.y + 1}}, theme.border);
        paint_name(bar, place);
        painter.tip(place, bar.tip);
        if (painter.points_at(place))
            painter.hit({bar.tip, bar.click, {}, bar.hover});
        if (layer.own_scales)
            most = longest(bar);
        const Box bars{{left, place.min.y + (above ? line : painter.px(1))},
                       {right, place.max.y - painter.px(above ? 8 : 2)}};
        if (!bar.missing.empty())
            paint_reason(bar, {{left, place.min.y}, {box.max.x, place.max.y}});
        if (layer.stacked)
            paint_stacked(bar, bars);
        else
            paint_below_each_other(bar, bars);
        if (!bar.words.empty() && !layer.stacked)
            painter.text_right(theme.mono_bold, {box.max.x, (place.min.y + place.max.y - line) / 2}, theme.ink,
                               bar.words);
        if (tabular)
            paint_numbers(bar, (place.min.y + place.max.y - line) / 2);
        for (const LimitLine& limit : bar.limits)
            paint_limit(limit, place);
    }

    void paint_name(const Bar& bar, const Box& place)
    {
        const bool heading = is_heading(bar);
        const float from = place.min.x + (above ? painter.px(6) : 0);
        const bool beside_words = above && !bar.words.empty() && !layer.stacked; // centred between name and bar
        const float end = beside_words ? right : above ? place.max.x - painter.px(20) : numbers_left - sign;
        const float room = (heading ? place.max.x : end) - from;
        const float top = above ? place.min.y : (place.min.y + place.max.y - line) / 2;
        const std::string name = painter.shortened(theme.text, bar.name, room);
        const Colour ink = bar.quiet || heading ? theme.ink_faint : bar.lit || tabular ? theme.ink : theme.ink_quiet;
        painter.text(theme.text, {from, top}, ink, name, name != bar.name);
        if (!bar.origin)
            return;
        const float after = above ? from + draw::measure(theme.text, name).x + painter.px(10) : left - painter.px(12);
        draw_origin(painter.surface, *bar.origin, {after, top + line / 2}, painter.px(above ? 3.5f : 3),
                    theme.ink_faint);
    }

    void paint_reason(const Bar& bar, const Box& room)
    {
        const std::string words = painter.shortened(theme.text, bar.missing, room.width());
        painter.text(theme.text, {room.min.x, (room.min.y + room.max.y - line) / 2}, theme.ink_faint, words,
                     words != bar.missing);
    }

    // Prints the number of each part right-aligned in the part's column.
    void paint_numbers(const Bar& bar, float top)
    {
        float end = numbers_left;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            const Part& part = bar.parts[i];
            end += column_widths[i];
            const Colour ink = bar.quiet || !part.value ? theme.ink_faint : part.colour;
            painter.text_right(theme.mono, {end, top}, ink, part.value ? part.words : "-");
        }
    }

    // A bar with fewer parts than others is in the middle of its row, beside its name.
    void paint_below_each_other(const Bar& bar, const Box& bars)
    {
        const float height = bars.height() / static_cast<float>(parts);
        const float above_first = above ? 0 : height * static_cast<float>(parts - bar.parts.size()) / 2;
        for (std::size_t i = 0; i < bar.parts.size() && bar.missing.empty(); ++i) {
            const Part& part = bar.parts[i];
            const float top = bars.min.y + above_first + height * static_cast<float>(i);
            const Box whole{{left, top}, {right, top + height - 1}};
            const float ground = part.ground > 0 ? x_of(part.ground) : layer.on_ground ? right : left;
            if (ground > left)
                painter.surface.fill({whole.min, {ground, whole.max.y}}, draw::empty_colour(theme));
            const float end = paint_part(bar, part, whole);
            if (!tabular && whole.height() >= 0.8f * line)
                print_at_end(part, whole, end, ground);
        }
    }

    // Draws a part and returns its right end.
    float paint_part(const Bar& bar, const Part& part, const Box& whole)
    {
        if (!part.value) {
            painter.mark(mark_of(id_of(bar, part)), whole, {.label = "-"});
            return whole.min.x;
        }
        const float end = std::max(x_of(*part.value), left + painter.px(1));
        const Box drawn{whole.min, {end, whole.max.y}};
        if (!tabular || right - left >= painter.px(12)) // otherwise there is only room for the numbers
            painter.surface.fill(drawn, part.colour);
        painter.mark(mark_of(id_of(bar, part)), drawn, {part.value, part.colour, part.words});
        painter.tip(drawn, part.tip);
        if (part.tip && painter.points_at(drawn))
            painter.hit({part.tip, bar.click, {}, bar.hover});
        return end;
    }

    // Prints the number after the bar, or after its empty background if the end of the background would cross the
    // number.
    void print_at_end(const Part& part, const Box& whole, float end, float ground)
    {
        const std::string words = part.value ? part.words : "-";
        const float middle = (whole.min.y + whole.max.y - line) / 2;
        const Colour ink = part.value ? theme.ink : theme.ink_faint;
        if (layer.on_ground)
            return painter.text_right(theme.mono_bold, {box.max.x, middle}, ink, words);
        const float from = end + painter.px(5);
        const bool across = from < ground && from + draw::measure(theme.mono, words).x + painter.px(3) > ground;
        painter.text(theme.mono, {across ? ground + painter.px(5) : from, middle}, ink, words);
    }

    void paint_stacked(const Bar& bar, const Box& whole)
    {
        if (layer.on_ground)
            painter.surface.fill(whole, draw::empty_colour(theme));
        double sum = 0;
        std::vector<const Part*> unnamed;
        for (const Part& part : bar.parts) {
            const double value = part.value.value_or(0);
            const Box drawn{{x_of(sum), whole.min.y}, {x_of(sum + value), whole.max.y}};
            sum += value;
            if (!part.value || drawn.width() <= 0)
                continue;
            painter.surface.fill({drawn.min, {drawn.max.x - (drawn.width() > 3 ? 1 : 0), drawn.max.y}}, part.colour);
            painter.mark(mark_of(id_of(bar, part)), drawn, {part.value, part.colour, part.words});
            painter.tip(drawn, part.tip);
            if (part.tip && painter.points_at(drawn))
                painter.hit({part.tip, bar.click, {}, bar.hover});
            const auto print = [&](const std::string& words) {
                return !words.empty() && painter.text_in(theme.text, drawn, ink_on(part.colour), words);
            };
            if (print(part.words) || print(part.brief))
                named.push_back(part.series);
            else
                unnamed.push_back(&part);
        }
        const float middle = (whole.min.y + whole.max.y - line) / 2;
        float end = x_of(sum) + painter.px(5);
        if (layer.on_ground)
            return painter.text_right(theme.mono_bold, {box.max.x, middle}, theme.ink, bar.words);
        if (!bar.words.empty()) {
            painter.text(theme.mono_bold, {end, middle}, theme.ink, bar.words);
            end += draw::measure(theme.mono_bold, bar.words).x + painter.px(10);
        }
        if (layer.foot)
            name_behind(bar, unnamed, {end, middle});
    }

    // Names the largest parts first, as many as fit.
    void name_behind(const Bar& bar, std::vector<const Part*> unnamed, ImVec2 at)
    {
        std::ranges::stable_sort(unnamed, std::greater<>(), [](const Part* part) { return *part->value; });
        for (const Part* part : unnamed) {
            const float wide = painter.px(12) + draw::measure(theme.text, part->words).x;
            if (at.x + wide > box.max.x)
                return;
            paint_square({at.x, at.y}, part->colour);
            painter.text(theme.text, {at.x + painter.px(12), at.y}, theme.ink_quiet, part->words);
            painter.mark(fmt::format("{} name:{}", layer.name, id_of(bar, *part)), {at, {at.x + wide, at.y + line}},
                         {part->value, part->colour, part->words});
            named.push_back(part->series);
            at.x += wide + painter.px(12);
        }
    }

    void paint_square(ImVec2 line_top, Colour colour)
    {
        const float side = painter.px(8), top = line_top.y + line * 0.3f;
        painter.surface.fill({{line_top.x, top}, {line_top.x + side, top + side}}, colour);
    }

    struct Unnamed {
        std::string series;
        std::vector<Colour> colours; // one for each bar
        double value = 0;
    };
    std::vector<Unnamed> named_nowhere() const
    {
        std::vector<Unnamed> all;
        for (std::size_t i = 0; i < shown; ++i)
            for (const Part& part : layer.bars[i].parts) {
                if (!part.value || std::ranges::find(named, part.series) != named.end())
                    continue;
                auto found = std::ranges::find(all, part.series, &Unnamed::series);
                if (found == all.end())
                    found = all.insert(all.end(), {.series = part.series});
                found->colours.push_back(part.colour);
                found->value += *part.value;
            }
        std::erase_if(all, [](const Unnamed& one) { return one.value <= 0; });
        std::ranges::stable_sort(all, std::greater<>(), &Unnamed::value);
        return all;
    }

    float width_of(const Rich& words) const { return RichText(theme).write(words).width(); }

    void paint_foot(float top)
    {
        Rich words = *layer.foot;
        for (const Unnamed& one : named_nowhere()) {
            Rich longer = words;
            longer.push_back({.kind = Run::Kind::gap});
            for (const Colour colour : one.colours)
                longer.push_back({.kind = Run::Kind::swatch, .colour = colour});
            longer.push_back({.words = one.series});
            if (width_of(longer) > box.width() - painter.px(6))
                break;
            words = std::move(longer);
        }
        if (width_of(words) <= box.width() - painter.px(6))
            painter.prose(words, {box.min.x + painter.px(6), top}, box.width());
    }

    void paint_limit(const LimitLine& limit, const Box& place)
    {
        const float at = x_of(limit.value), half = painter.px(1);
        const Box drawn{{at - half, place.min.y - half}, {at + half, place.max.y - half}};
        painter.surface.fill(drawn, limit.colour != 0 ? limit.colour : theme.ink);
        painter.mark(limit.name, {{left, place.min.y}, {at, place.max.y}}, {limit.value, limit.colour, limit.words});
        if (!limit.words.empty())
            painter.label({.words = limit.words,
                           .at = {at, (place.min.y + place.max.y) / 2},
                           .distance = 6,
                           .colour = theme.ink,
                           .side = at > (left + right) / 2 ? Label::Side::left : Label::Side::right,
                           .plate = true});
    }

    Painter& painter;
    const BarLayer& layer;
    const Theme& theme;
    Box box;                      // area of the bars, without the foot
    std::size_t parts, shown = 0; // bars in a row; rows that fit
    float line;
    bool above, tabular;                                   // `above` is about names, `tabular` about numbers
    float row = 0, foot_top = 0;                           // height of a row that is not a heading
    float numbers_left = 0, left = 0, right = 0, sign = 0; // bars extend from left to right
    std::vector<float> column_widths;
    double most = 0;                // value of full length for the current bar
    std::vector<std::string> named; // names of the series that are labelled
};

} // namespace

float bars_height(const Theme& theme, const BarLayer& layer)
{
    const float least = least_row(theme, layer), line = draw::row_height(theme, 0);
    float sum = (layer.foot ? foot_height(theme) : 0) + (layer.axis ? ticks_height(theme) : 0);
    for (const Bar& bar : layer.bars)
        sum += is_heading(bar) ? line : least;
    return sum;
}

void paint(Painter& painter, const BarLayer& layer, const Box& box)
{
    BarPainter(painter, layer, box).paint();
}

} // namespace viz
