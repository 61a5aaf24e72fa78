#include "viz/figure/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

// Intervals thinner than a pixel are gathered, and the pixel is drawn in their colours and the ground's, mixed by their shares.
class RowPixels {
public:
    RowPixels(Surface& surface, float top, float bottom, Colour ground)
        : surface_(surface), top_(top), bottom_(bottom), ground_(ground)
    {
    }
    ~RowPixels() { flush(); }
    RowPixels(const RowPixels&) = delete;
    RowPixels& operator=(const RowPixels&) = delete;

    void add(float left, float right, Colour colour)
    {
        if (right - left >= 1) {
            flush();
            surface_.fill({{left, top_}, {right, bottom_}}, colour);
            return;
        }
        if (const float pixel = std::floor(left); pixel != pixel_) {
            flush();
            pixel_ = pixel;
        }
        const float width = std::max(right - left, 1e-6f);
        mixed_ = sum_ == 0 ? colour : mix(mixed_, colour, width / (sum_ + width));
        sum_ += width;
    }

private:
    void flush()
    {
        // Over the ground by the part of the pixel that is covered; a third at the least, so that it is seen.
        if (sum_ > 0)
            surface_.fill({{pixel_, top_}, {pixel_ + 1, bottom_}}, mix(ground_, mixed_, std::clamp(sum_, 0.33f, 1.0f)));
        sum_ = 0;
    }

    Surface& surface_;
    float top_, bottom_, pixel_ = -1, sum_ = 0;
    Colour ground_, mixed_ = 0;
};

class LanePainter {
public:
    LanePainter(Painter& with, const LaneLayer& what, const Box& place) : painter(with), layer(what), box(place)
    {
        const Theme& theme = painter.theme;
        float names = layer.names, heights = 0;
        for (const LaneLayer::Row& row : layer.rows) {
            names = std::max(names, row.name.empty() ? 0 : lane_names(theme, row.name));
            heights += row.height;
            gaps += row.gap_before ? painter.px(3) : 0;
        }
        if (layer.with_axis)
            bottom = box.max.y - draw::line_height(theme.mono) - painter.px(6);
        else
            bottom = box.max.y;
        left = std::round(box.min.x + names);
        unit = std::max((bottom - box.min.y - gaps) / std::max(heights, 1.0f), 1.0f);
        scale.emplace(layer.time, left, box.max.x);
    }

    void paint()
    {
        float y = box.min.y;
        for (const LaneLayer::Row& row : layer.rows) {
            y += row.gap_before ? painter.px(3) : 0;
            const float height = unit * row.height;
            paint_row(row, y, y + height - (height > painter.px(4) ? 1.0f : 0.0f));
            y += height;
        }
        if (layer.with_axis)
            paint_ticks_below(painter, *scale, {{left, bottom}, {box.max.x, bottom + painter.px(2)}}, box);
        if (layer.cursor)
            paint_cursor(*layer.cursor);
        const Box area{{left, box.min.y}, {box.max.x, bottom}};
        if (layer.drag && painter.drags(area)) {
            if (!found)
                found.emplace();
            found->drag = [drag = layer.drag, time = scale->value_at(painter.pointer()->x)](const ViewScene& scene) {
                drag(scene, time);
            };
        }
        if (found)
            painter.hit(std::move(*found));
    }

private:
    void paint_cursor(double now)
    {
        const Colour ink = painter.theme.ink;
        const float at = scale->at(now);
        if (at < left || at > box.max.x)
            return;
        Box cursor{{at - 1, box.min.y}, {at + 1, bottom}};
        if (layer.cursor_length > 0) {
            const float until = std::max(scale->at(now + layer.cursor_length), at + painter.px(2));
            cursor = {{at, box.min.y}, {std::min(until, box.max.x), bottom}};
        }
        painter.surface.fill(cursor, layer.cursor_length > 0 ? draw::with_alpha(ink, 0.5f) : ink);
        painter.mark("cursor", cursor, {.value = now, .colour = ink});
    }

    void paint_row(const LaneLayer::Row& row, float top, float low)
    {
        const Theme& theme = painter.theme;
        const Box whole{{left, top}, {box.max.x, low}};
        painter.surface.fill(whole, draw::empty_colour(theme));
        std::size_t i = first_after(row, layer.time.least);
        RowPixels pixels(painter.surface, top, low, draw::empty_colour(theme));
        for (; i < row.count; ++i) {
            const LaneLayer::Interval one = row.at(i);
            if (one.from >= layer.time.most)
                break;
            Box shown{{scale->at(std::max(one.from, layer.time.least)), top},
                      {scale->at(std::min(one.until, layer.time.most)), low}};
            shown.max.x -= layer.apart && shown.width() >= 4 ? 1.0f : 0.0f;
            pixels.add(shown.min.x, shown.max.x, one.colour);
            if (row.words && shown.width() >= painter.px(8))
                painter.text_in(theme.mono, shown, ink_on(one.colour), row.words(i));
            if (row.mark && painter.marks_wanted() && one.from >= layer.time.least && one.until <= layer.time.most)
                if (const std::string name = row.mark(i); !name.empty())
                    painter.mark(name, shown, {.colour = one.colour});
        }
        const float line = draw::line_height(theme.mono);
        const Box name{{box.min.x, (top + low - line) / 2}, {left, (top + low + line) / 2}};
        if (!row.name.empty() && painter.is_free(name))
            painter.text_right(theme.mono, {left - painter.px(6), name.min.y}, theme.ink_quiet, row.name);
        if (!row.id.empty())
            painter.mark(row.id, whole, {});
        if (painter.points_at(whole))
            point(row);
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

    void point(const LaneLayer::Row& row)
    {
        const double now = scale->value_at(painter.pointer()->x);
        const std::size_t i = first_after(row, now);
        if (i == row.count || row.at(i).from > now)
            return;
        found.emplace();
        if (row.tip)
            found->tip = [tip = row.tip, i] { return tip(i); };
        if (row.click)
            found->click = [click = row.click, i](const ViewScene& scene) { click(scene, i); };
    }

    Painter& painter;
    const LaneLayer& layer;
    Box box;
    float left = 0, bottom = 0, unit = 1, gaps = 0;
    std::optional<Scale> scale;
    std::optional<Hit> found; // what the mouse is over
};

} // namespace

float lane_names(const Theme& theme, std::string_view longest)
{
    return draw::measure(theme.mono, longest).x + theme.px(8);
}

void paint(Painter& painter, const LaneLayer& layer, const Box& box)
{
    if (!layer.rows.empty() && box.width() > 0 && box.height() > 0)
        LanePainter(painter, layer, box).paint();
}

} // namespace viz
