#include "viz/draw/rich_text.h"
#include "viz/figure/painter.h"
#include "viz/figure/raster.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace viz {

namespace {

constexpr float least_worded = 8; // width of the narrowest interval with words, in pixels at scale 1

using Fill = std::function<void(const Box&, Colour)>;

// Collects intervals that are thinner than a pixel. The pixel gets their mean colour, weighted by width, with the
// background.
class RowPixels {
public:
    RowPixels(const Fill& fill, float top, float bottom, Colour ground)
        : fill_(fill), top_(top), bottom_(bottom), ground_(ground)
    {
    }
    ~RowPixels() { flush(); }
    RowPixels(const RowPixels&) = delete;
    RowPixels& operator=(const RowPixels&) = delete;

    void add(float left, float right, const LaneLayer::Interval& what)
    {
        if (right - left >= 1) {
            if (sum_ > 0 && left < pixel_ + 1)
                gather(pixel_ + 1 - left, what);
            flush();
            fill_({{left, top_of(what.level)}, {right, bottom_}}, what.colour);
            wide_ = what;
            wide_until_ = right;
            return;
        }
        if (const float edge = std::floor(left) + 1; right > edge) { // spans two pixels
            add(left, edge, what);
            return add(edge, right, what);
        }
        if (const float pixel = std::floor(left); pixel != pixel_ || sum_ == 0) {
            flush();
            pixel_ = pixel;
            if (wide_until_ > pixel)
                gather(wide_until_ - pixel, wide_);
        }
        gather(std::max(right - left, 1e-6f), what);
    }

private:
    float top_of(float level) const { return level == 1 ? top_ : bottom_ - std::round((bottom_ - top_) * level); }

    void gather(float width, const LaneLayer::Interval& what)
    {
        const float share = width / (sum_ + width);
        mixed_ = sum_ == 0 ? what.colour : mix(mixed_, what.colour, share);
        level_ += (what.level - level_) * share;
        sum_ += width;
    }

    void flush()
    {
        // The share of the colour is the covered part of the pixel, but at least a third, so that it stays visible.
        if (sum_ > 0)
            fill_({{pixel_, top_of(level_)}, {pixel_ + 1, bottom_}},
                  mix(ground_, mixed_, std::clamp(sum_, 0.33f, 1.0f)));
        sum_ = level_ = 0;
    }

    const Fill& fill_;
    float top_, bottom_, pixel_ = -1, sum_ = 0, level_ = 0; // level_: the mean of the collected intervals
    Colour ground_, mixed_ = 0;
    LaneLayer::Interval wide_; // the last wide interval, which may end in the pixel
    float wide_until_ = -1;
};

class LanePainter {
public:
    LanePainter(Painter& with, const LaneLayer& what, const Box& place)
        : painter(with), theme(with.theme), layer(what), box(place)
    {
        float names = layer.names, heights = 0, fixed = 0;
        for (const LaneLayer::Row& row : layer.rows) {
            names = std::max(names, row.name.empty() ? 0 : lane_names(theme, row.name));
            heights += row.pixels > 0 ? 0 : row.height;
            fixed += painter.px(row.pixels) + (row.gap_before ? painter.px(layer.gap) : 0);
        }
        const float axis = layer.with_axis ? draw::line_height(theme.mono) + painter.px(6) : 0;
        area = {{std::round(box.min.x + names), box.min.y + (layer.bracket ? draw::row_height(theme, 5) : 0)},
                {box.max.x, box.max.y - axis}};
        scale.emplace(layer.time, area.min.x, area.max.x);
        const float unit = std::max((area.height() - fixed) / std::max(heights, 1.0f), 0.01f);
        float y = area.min.y;
        for (const LaneLayer::Row& row : layer.rows) {
            y += row.gap_before ? painter.px(layer.gap) : 0;
            const float height = row.pixels > 0 ? painter.px(row.pixels) : unit * row.height;
            places.push_back({{area.min.x, y}, {area.max.x, y + height - (height > painter.px(4) ? 1.0f : 0.0f)}});
            y += height;
        }
    }

    void paint()
    {
        if (layer.kept)
            show_kept();
        else
            paint_rows([this](const Box& part, Colour colour) { painter.surface.fill(part, colour); }, wide);
        for (std::size_t row = 0; row < layer.rows.size(); ++row)
            name_row(layer.rows[row], places[row]);
        if (layer.with_axis)
            paint_axis();
        for (const auto& [row, i] : layer.kept ? layer.kept->wide : wide)
            print(layer.rows[row], places[row], i);
        paint_frames();
        if (layer.bracket)
            paint_bracket(*layer.bracket);
        for (const LimitLine& limit : layer.limits)
            paint_limit(limit);
        if (layer.cursor && layer.cursor_length > 0)
            paint_now(*layer.cursor);
        else if (layer.cursor)
            paint_limit({.name = cursor_name(), .value = *layer.cursor, .colour = theme.ink});
        if (!layer.name.empty())
            painter.mark(layer.name, area, {});
        if (painter.tips_wanted())
            add_tips();
        point();
    }

private:
    float x(double time) const { return scale->at(std::clamp(time, layer.time.least, layer.time.most)); }

    // Returns the box of an interval in a row.
    Box box_of(const LaneLayer::Interval& one, const Box& row) const
    {
        const float from = x(one.from), until = x(one.until);
        return {{from, row.min.y}, {until - (layer.apart && until - from >= 4 ? 1.0f : 0.0f), row.max.y}};
    }

    void paint_rows(const Fill& fill, std::vector<std::pair<std::size_t, std::size_t>>& worded) const
    {
        const Colour ground = draw::empty_colour(theme);
        const float least_height = draw::line_height(theme.mono) - 3;
        for (std::size_t i = 0; i < layer.rows.size(); ++i) {
            const LaneLayer::Row& row = layer.rows[i];
            const Box& place = places[i];
            const bool prints = row.words && place.height() >= least_height;
            fill(place, ground);
            RowPixels pixels(fill, place.min.y, place.max.y, ground);
            for (std::size_t at = first_after(row, layer.time.least); at < row.count; ++at) {
                const LaneLayer::Interval one = row.at(at);
                if (one.from >= layer.time.most)
                    break;
                const Box part = box_of(one, place);
                pixels.add(part.min.x, part.max.x, one);
                if (prints && (row.beside || part.width() >= painter.px(least_worded)))
                    worded.emplace_back(i, at);
            }
        }
    }

    void show_kept()
    {
        LaneRaster& kept = *layer.kept;
        LaneRaster::Key key{.least = layer.time.least,
                            .most = layer.time.most,
                            .edges = {area.width(), area.height()},
                            .scale = theme.scale,
                            .dark = theme.dark};
        for (const Box& place : places)
            key.edges.push_back(place.min.y - area.min.y);
        if (kept.key != key) {
            kept.key = std::move(key);
            kept.wide.clear();
            kept.raster.clear(static_cast<int>(area.width()), static_cast<int>(std::lround(area.height())),
                              theme.background);
            paint_rows(
                [&](const Box& part, Colour colour) {
                    kept.raster.fill({{part.min.x - area.min.x, part.min.y - area.min.y},
                                      {part.max.x - area.min.x, part.max.y - area.min.y}},
                                     colour);
                },
                kept.wide);
        }
        painter.surface.raster(area.min, kept.raster);
    }

    void name_row(const LaneLayer::Row& row, const Box& place)
    {
        const float line = draw::line_height(theme.mono), right = area.min.x - painter.px(6);
        if (!row.most.empty()) {
            painter.text_right(theme.mono, {right, place.min.y}, theme.ink_quiet, row.most);
            if (place.height() >= 2 * line - 3)
                painter.text_right(theme.mono, {right, place.max.y - line}, theme.ink_quiet, "0");
        }
        // Moves the name of a thin first or last row into the layer, away from the title or the axis.
        const float top =
            std::clamp(place.middle().y - line / 2, box.min.y - 2, std::max(area.max.y - line + 2, box.min.y - 2));
        if (!row.name.empty() && painter.is_free({{box.min.x, top}, {area.min.x, top + line}}))
            painter.text_right(theme.mono, {right, top}, theme.ink_quiet, row.name);
        if (!row.id.empty())
            painter.mark(row.id, place, {.value = end_of(row)});
        if (!row.after.empty())
            print_after(row, place);
        if (row.mark && painter.marks_wanted())
            mark_intervals(row, place);
    }

    static std::optional<double> end_of(const LaneLayer::Row& row)
    {
        return row.count == 0 ? std::nullopt : std::optional(row.at(row.count - 1).until);
    }

    void print_after(const LaneLayer::Row& row, const Box& place)
    {
        const double end = end_of(row).value_or(layer.time.least);
        const float width = RichText(theme).write(row.after).width(), left = x(end) + painter.px(8);
        if (end > layer.time.least && left + width <= area.max.x)
            painter.prose(row.after, {left, place.middle().y - draw::line_height(theme.text) / 2}, width + 1);
    }

    void mark_intervals(const LaneLayer::Row& row, const Box& place)
    {
        for (std::size_t i = 0; i < row.count; ++i) {
            const LaneLayer::Interval one = row.at(i);
            if (one.from < layer.time.least || one.until > layer.time.most)
                continue;
            if (const std::string name = row.mark(i); !name.empty())
                painter.mark(name, box_of(one, place), {.colour = one.colour});
        }
    }

    void paint_axis()
    {
        float left = box.min.x;
        if (!layer.axis_name.empty()) {
            painter.text(theme.text, {left, area.max.y + painter.px(4)}, theme.ink_quiet, layer.axis_name);
            left += draw::measure(theme.text, layer.axis_name).x + painter.px(6);
        }
        paint_ticks_below(painter, *scale, {{area.min.x, area.max.y}, {area.max.x, area.max.y + painter.px(2)}},
                          {{left, box.min.y}, box.max});
    }

    void print(const LaneLayer::Row& row, const Box& place, std::size_t i)
    {
        const LaneLayer::Interval one = row.at(i);
        Box part = beside_cursor(box_of(one, place));
        part.min.x += painter.px(2); // otherwise the digits of neighbours run together
        part.max.x -= painter.px(2);
        const std::string words = row.words(i);
        const Colour ink = ink_on(one.colour);
        if (words.empty())
            return;
        if (!painter.text_in(theme.mono, part, ink, words)) {
            if (row.shorter)
                painter.text_in(theme.mono, part, ink, row.shorter(i));
            else if (row.beside)
                painter.text_in(theme.mono, gap_after(row, place, i, words), theme.ink_quiet, words);
            return;
        }
        if (!row.origin)
            return;
        const float radius = painter.px(3), right = draw::measure(theme.mono, words).x / 2 + painter.px(5) + radius;
        const auto origin = row.origin(i);
        if (origin && part.width() >= 2 * (right + radius))
            draw_origin(painter.surface, *origin, {part.middle().x + right, part.middle().y}, radius, ink);
    }

    // Returns a place for words in the gap after an interval, at most as wide as the gap.
    Box gap_after(const LaneLayer::Row& row, const Box& place, std::size_t i, const std::string& words) const
    {
        const float from = box_of(row.at(i), place).max.x,
                    until = i + 1 < row.count ? x(row.at(i + 1).from) : area.max.x;
        const Box gap = beside_cursor({{from + painter.px(2), place.min.y}, {until - painter.px(2), place.max.y}});
        return {gap.min, {std::min(gap.max.x, gap.min.x + draw::measure(theme.mono, words).x + 1), gap.max.y}};
    }

    // Returns the larger part of an interval beside the cursor, or the whole interval if the cursor covers all of it.
    Box beside_cursor(Box part) const
    {
        if (!layer.cursor)
            return part;
        const Box now = cursor_box(*layer.cursor);
        const float before = now.min.x - part.min.x, after = part.max.x - now.max.x;
        if (part.overlaps(now) && std::max(before, after) > 0)
            (before > after ? part.max.x : part.min.x) = before > after ? now.min.x : now.max.x;
        return part;
    }

    Box cursor_box(double now) const
    {
        const float from = x(now), until = std::max(x(now + layer.cursor_length), from + painter.px(2));
        return {{from, area.min.y}, {std::min(until, area.max.x), area.max.y}};
    }

    // Merges frames of one row that are too narrow to be distinguished.
    void paint_frames()
    {
        const float least = painter.px(5);
        for (std::size_t i = 0; i < layer.frames.size(); ++i) {
            LaneLayer::Frame frame = layer.frames[i];
            for (; i + 1 < layer.frames.size(); ++i) {
                const LaneLayer::Frame& next = layer.frames[i + 1];
                if (next.row != frame.row || next.colour != frame.colour || next.inside != frame.inside ||
                    x(next.until) - x(next.from) >= least || x(next.from) - x(frame.until) >= least)
                    break;
                frame.until = next.until;
            }
            paint_frame(frame);
        }
    }

    void paint_frame(const LaneLayer::Frame& frame)
    {
        if (frame.until < layer.time.least || frame.from > layer.time.most)
            return;
        const Box& row = places[frame.row];
        const Box around{{x(frame.from), row.min.y}, {std::max(x(frame.until), x(frame.from) + 2), row.max.y}};
        if (frame.inside) {
            if (std::min(around.width(), around.height()) > 6)
                painter.surface.outline(
                    {{around.min.x + 1.5f, around.min.y + 1.5f}, {around.max.x - 1.5f, around.max.y - 1.5f}},
                    frame.colour, painter.px(1));
        } else {
            const float out = painter.px(1.5f);
            painter.surface.outline(
                {{around.min.x - out, around.min.y - out}, {around.max.x + out, around.max.y + out}}, frame.colour,
                painter.px(2));
        }
        if (!frame.name.empty())
            painter.mark(frame.name, around, {.value = frame.until - frame.from, .colour = frame.colour});
    }

    void paint_bracket(const LaneLayer::Bracket& bracket)
    {
        if (bracket.until < layer.time.least || bracket.from > layer.time.most)
            return;
        const float from = x(bracket.from), until = x(bracket.until), y = area.min.y - painter.px(3);
        const Box line{{from, y - painter.px(2)}, {until, y}};
        painter.surface.fill(line, theme.ink);
        for (const float at : {from, until - painter.px(1)})
            painter.surface.fill({{at, y - painter.px(6)}, {at + painter.px(1), area.min.y}}, theme.ink);
        Label label{.words = bracket.words,
                    .at = {from, box.min.y + draw::line_height(theme.text) / 2},
                    .distance = 6,
                    .colour = theme.ink,
                    .side = Label::Side::left};
        const bool over = draw::measure(theme.text, bracket.words).x <= until - from;
        if (over) {
            label.at.x = line.middle().x;
            label.side = Label::Side::middle;
        }
        if (!painter.label(label) && !over) {
            label.at.x = until;
            label.side = Label::Side::right;
            painter.label(label);
        }
        if (!bracket.name.empty())
            painter.mark(bracket.name, line, {.value = bracket.until - bracket.from, .label = bracket.words});
    }

    std::string cursor_name() const { return layer.name.empty() ? "cursor" : layer.name + " cursor"; }

    void paint_now(double now)
    {
        if (now < layer.time.least || now > layer.time.most)
            return;
        const Box cursor = cursor_box(now);
        const bool wide = cursor.width() > painter.px(8);
        painter.surface.fill(cursor, draw::with_alpha(theme.ink, wide ? 0.5f : 1.0f));
        if (wide)
            painter.surface.outline(cursor, theme.ink, 1);
        painter.mark(cursor_name(), cursor, {.value = now, .colour = theme.ink});
    }

    void paint_limit(const LimitLine& limit)
    {
        const float at = std::round(scale->at(limit.value));
        if (at < area.min.x || at > area.max.x)
            return;
        const Box line{{at - 1, area.min.y}, {at + 1, area.max.y}};
        painter.surface.fill(line, limit.colour);
        if (!limit.name.empty())
            painter.mark(limit.name, line, {.value = limit.value, .colour = limit.colour, .label = limit.words});
        if (!limit.words.empty())
            painter.label({.words = limit.words,
                           .at = {at, area.middle().y},
                           .distance = 6,
                           .colour = limit.colour,
                           .side = Label::Side::right,
                           .large = true});
    }

    static std::size_t first_after(const LaneLayer::Row& row, double time)
    {
        std::size_t low = 0, high = row.count;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (row.at(middle).until <= time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    void add_tips()
    {
        for (std::size_t at = 0; at < layer.rows.size(); ++at) {
            const LaneLayer::Row& row = layer.rows[at];
            for (std::size_t i = row.tip ? first_after(row, layer.time.least) : row.count; i < row.count; ++i) {
                const LaneLayer::Interval interval = row.at(i);
                if (interval.from >= layer.time.most)
                    break;
                const Box place = box_of(interval, places[at]);
                if (painter.has_room_for_tip(place.width(), place.height()))
                    painter.tip(place, [&] { return row.tip(i); });
            }
        }
    }

    void point()
    {
        const bool drags = layer.drag && painter.drags(area);
        const auto under = std::ranges::find_if(places, [&](const Box& row) { return painter.points_at(row); });
        if (!drags && under == places.end())
            return;
        const double now = scale->value_at(painter.pointer()->x);
        Hit hit;
        if (under != places.end())
            point(layer.rows[static_cast<std::size_t>(under - places.begin())], now, hit);
        if (drags)
            hit.drag = [drag = layer.drag, now](const ViewScene& scene) { drag(scene, now); };
        if (hit.tip || hit.click || hit.drag)
            painter.hit(std::move(hit));
    }

    static void point(const LaneLayer::Row& row, double now, Hit& hit)
    {
        const std::size_t i = first_after(row, now);
        if (i == row.count || row.at(i).from > now)
            return;
        if (row.tip)
            hit.tip = [tip = row.tip, i] { return tip(i); };
        if (row.click)
            hit.click = [click = row.click, i](const ViewScene& scene) { click(scene, i); };
    }

    Painter& painter;
    const Theme& theme;
    const LaneLayer& layer;
    Box box, area;           // the area of all rows
    std::vector<Box> places; // boxes of the rows
    std::optional<Scale> scale;
    std::vector<std::pair<std::size_t, std::size_t>> wide; // (row, interval) of intervals that may have words
};

} // namespace

float lane_names(const Theme& theme, std::string_view longest)
{
    return draw::measure(theme.mono, longest).x + theme.px(8);
}

void paint(Painter& painter, const LaneLayer& layer, const Box& box)
{
    const Box place = layer.box.value_or(box);
    if (!layer.rows.empty() && place.width() > 0 && place.height() > 0)
        LanePainter(painter, layer, place).paint();
}

} // namespace viz
