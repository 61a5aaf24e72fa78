#include "viz/views/08_placement/placement_chart.h"

#include "viz/draw/plot.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace viz {

namespace {

class Lanes {
public:
    Lanes(const PlacementChart& what, const draw::Box& box)
        : chart(what), theme(what.theme),
          list(ImGui::GetWindowDrawList()), area{{box.min.x + label_room(what.theme), box.min.y}, box.max}
    {
    }

    float x(double ns) const
    {
        const double share = (ns - chart.time.from) / chart.time.span();
        return area.min.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * area.width();
    }
    double ns_at(float at) const
    {
        return chart.time.from + chart.time.span() * (at - area.min.x) / std::max(1.0f, area.width());
    }
    bool seen(const PlacedBlock& block) const
    {
        return static_cast<double>(block.end_ns) >= chart.time.from &&
               static_cast<double>(block.start_ns) <= chart.time.until;
    }

    void draw_block(const PlacedBlock& block, float top, float bottom, double until) const
    {
        const bool selected = chart.selected == block.block;
        const float left = x(static_cast<double>(block.start_ns));
        const draw::Box box{{left, top}, {std::max(left + 1, x(until) - (bottom - top > 5 ? 1 : 0)), bottom}};
        const Colour colour = wave_colour(theme, block.wave);
        list->AddRectFilled(box.min, box.max, colour);
        if (block.in_full && box.width() > 6 && box.height() > 6)
            list->AddRect({box.min.x + 1.5f, box.min.y + 1.5f}, {box.max.x - 1.5f, box.max.y - 1.5f}, ink_on(colour), 0,
                          0, theme.px(1));
        if (box.height() > theme.px(11))
            draw::text_in(list, theme.mono, box, ink_on(colour), std::to_string(block.block));
        if (selected)
            mark(chart.marks, "block selected", box);
    }

    void outline(const PlacedBlock& block, float top, float bottom) const
    {
        const float left = x(static_cast<double>(block.start_ns)), right = x(static_cast<double>(block.end_ns));
        const float out = theme.px(1.5f);
        list->AddRect({left - out, top - out}, {std::max(right, left + 2) + out, bottom + out}, theme.ink, 0, 0,
                      theme.px(2));
    }

    const PlacementChart& chart;
    const Theme& theme;
    ImDrawList* list;
    draw::Box area;
};

void label_at(const Lanes& lanes, float y, const std::string& words)
{
    draw::text_right(lanes.list, lanes.theme.mono,
                     {lanes.area.min.x - lanes.theme.px(6), y - draw::line_height(lanes.theme.mono) / 2},
                     lanes.theme.ink_quiet, words);
}

// The rows of all SMs, also of those that ran nothing: where they are, and how thick.
struct Rows {
    uint32_t sms = 0;
    float top = 0, height = 1, gap = 0, slot = 1;
    bool dense = false; // slots would be thinner than a pixel or two: the colour is that of the block that started last

    Rows(const PlacementPicture& picture, const draw::Box& box, const Theme& theme)
        : sms(picture.sms), top(box.min.y), height(box.height() / static_cast<float>(sms)),
          gap(height >= theme.px(6) ? 1.0f : 0.0f), slot((height - gap) / static_cast<float>(picture.slots)),
          dense(slot < 1.5f)
    {
    }
    float top_of(std::size_t row) const { return top + height * static_cast<float>(row); }
    float bottom_of(std::size_t row) const { return top_of(row + 1) - gap; }
    float top_of(std::size_t row, const PlacedBlock& block) const
    {
        return dense ? top_of(row) : top_of(row) + slot * static_cast<float>(block.slot);
    }
    float bottom_of(std::size_t row, const PlacedBlock& block) const
    {
        return dense ? bottom_of(row) : top_of(row, block) + slot;
    }
    bool printed(const Theme& theme) const { return slot > theme.px(11); }
};

// An SM without any block, until the launch has ended; a free slot beside a block is no waste as such.
void paint_idle(const Lanes& lanes, const Rows& rows, uint32_t sm, const auto& fill)
{
    const PlacementPicture& picture = lanes.chart.picture;
    const auto paint = [&](uint64_t from, uint64_t until) {
        const float left = lanes.x(static_cast<double>(from)), right = lanes.x(static_cast<double>(until));
        if (right > left)
            fill(draw::Box{{left, rows.top_of(sm)}, {right, rows.bottom_of(sm)}}, idle_colour(lanes.theme));
    };
    uint64_t busy_until = 0;
    for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i) {
        const PlacedBlock& block = picture.blocks[i];
        if (block.start_ns > busy_until)
            paint(busy_until, block.start_ns);
        busy_until = std::max(busy_until, block.end_ns);
    }
    paint(busy_until, picture.span_ns);
}

void paint_row(const Lanes& lanes, const Rows& rows, uint32_t sm, const auto& fill)
{
    const PlacementPicture& picture = lanes.chart.picture;
    const float gap = rows.slot > 4 ? 1 : 0;
    uint64_t busy_until = 0;
    for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i) {
        const PlacedBlock& block = picture.blocks[i];
        busy_until = std::max(busy_until, block.end_ns);
        uint64_t until = block.end_ns;
        if (rows.dense)
            until = i + 1 == picture.first[sm + 1] ? busy_until : std::min(busy_until, picture.blocks[i + 1].start_ns);
        if (!lanes.seen(block) || until < block.start_ns)
            continue;
        const float left = lanes.x(static_cast<double>(block.start_ns));
        fill(
            draw::Box{{left, rows.top_of(sm, block)},
                      {std::max(left + 1, lanes.x(static_cast<double>(until)) - gap), rows.bottom_of(sm, block) - gap}},
            wave_colour(lanes.theme, block.wave));
    }
}

void show_rows(const Lanes& lanes, const Rows& rows, SmPixels& pixels)
{
    const float width = std::trunc(lanes.area.width()), height = std::round(rows.height * static_cast<float>(rows.sms));
    const draw::Box area{lanes.area.min, {lanes.area.min.x + width, rows.top + height}};
    pixels.show(lanes.theme, area, lanes.theme.panel, {&lanes.chart.picture, lanes.chart.time}, [&](const auto& fill) {
        for (uint32_t sm = 0; sm < rows.sms; ++sm) {
            paint_idle(lanes, rows, sm, fill);
            paint_row(lanes, rows, sm, fill);
        }
    });
}

void label_rows(const Lanes& lanes, const Rows& rows)
{
    float free_from = 0;
    for (uint32_t row = 0; row < rows.sms; ++row) {
        const float middle = rows.top_of(row) + rows.height / 2;
        if (middle < free_from)
            continue;
        label_at(lanes, middle, row == 0 ? fmt::format("SM {}", row) : std::to_string(row));
        free_from = middle + draw::line_height(lanes.theme.mono);
    }
}

constexpr float keys_share = 0.62f; // of the width, for what the colours mean

} // namespace

Colour idle_colour(const Theme& theme)
{
    return mix(theme.panel, theme.warning, 0.45f);
}

Colour wave_colour(const Theme& theme, uint32_t wave)
{
    return category_colour(theme, wave);
}

float label_room(const Theme& theme)
{
    return draw::measure(theme.mono, "SM 0000").x + theme.px(8);
}

float height_of_one_sm(const PlacementPicture& picture, const Theme& theme)
{
    if (picture.sms_used <= 8)
        return 0;
    const float row = picture.slots <= 4 ? 17 : picture.slots <= 8 ? 14 : 72.0f / static_cast<float>(picture.slots);
    return theme.px(row) * static_cast<float>(picture.slots);
}

const PlacedBlock* draw_sms(const PlacementChart& chart, SmPixels& pixels, const draw::Box& box)
{
    const PlacementPicture& picture = chart.picture;
    const Lanes lanes(chart, {{std::round(box.min.x), std::round(box.min.y)}, box.max});
    const Rows rows(picture, {{box.min.x, std::round(box.min.y)}, box.max}, chart.theme);
    const draw::Box drawn{lanes.area.min, {lanes.area.max.x, rows.top_of(rows.sms)}};
    lanes.list->AddRectFilled(drawn.min, drawn.max, chart.theme.panel);
    label_rows(lanes, rows);
    lanes.list->PushClipRect({box.min.x, box.min.y - 3}, {box.max.x + 3, drawn.max.y + 3}, true);
    show_rows(lanes, rows, pixels);
    for (uint32_t row = 0; row < rows.sms; ++row)
        for (std::size_t i = picture.first[row]; i < picture.first[row + 1]; ++i) {
            const PlacedBlock& block = picture.blocks[i];
            const bool selected = chart.selected == block.block;
            if ((!rows.printed(chart.theme) && !selected) || !lanes.seen(block))
                continue;
            const float top = rows.top_of(row, block), bottom = rows.bottom_of(row, block);
            lanes.draw_block(block, top, bottom, static_cast<double>(block.end_ns));
            if (selected)
                lanes.outline(block, top, bottom);
        }
    lanes.list->PopClipRect();
    const bool hovered = draw::item("SMs", drawn);
    mark_item(chart.marks, "SMs");
    if (!hovered)
        return nullptr;
    const ImVec2 mouse = ImGui::GetMousePos();
    const float place = std::max(0.0f, (mouse.y - rows.top) / rows.height);
    const auto row = std::min(static_cast<uint32_t>(place), rows.sms - 1);
    std::optional<uint32_t> in_slot;
    if (!rows.dense)
        in_slot = static_cast<uint32_t>((place - static_cast<float>(row)) * rows.height / rows.slot);
    return block_at(picture, row, static_cast<uint64_t>(std::max(0.0, lanes.ns_at(mouse.x))), in_slot);
}

uint32_t sm_at(const PlacementChart& chart, const draw::Box& box, float y)
{
    const Rows rows(chart.picture, {{box.min.x, std::round(box.min.y)}, box.max}, chart.theme);
    return std::min(static_cast<uint32_t>(std::max(0.0f, (y - rows.top) / rows.height)), rows.sms - 1);
}

const PlacedBlock* draw_one_sm(const PlacementChart& chart, uint32_t sm, const draw::Box& box)
{
    const PlacementPicture& picture = chart.picture;
    const Lanes lanes(chart, box);
    const float slot = box.height() / static_cast<float>(std::max(1u, picture.slots));
    lanes.list->AddRectFilled(lanes.area.min, lanes.area.max, chart.theme.panel);
    label_at(lanes, box.min.y + std::min(slot, chart.theme.px(17)) / 2, fmt::format("SM {}", sm));
    for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i) {
        const PlacedBlock& block = picture.blocks[i];
        const float top = box.min.y + slot * static_cast<float>(block.slot);
        if (lanes.seen(block))
            lanes.draw_block(block, top, top + slot - 1, static_cast<double>(block.end_ns));
    }
    for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i)
        if (const PlacedBlock& block = picture.blocks[i]; chart.selected == block.block)
            lanes.outline(block, box.min.y + slot * static_cast<float>(block.slot),
                          box.min.y + slot * static_cast<float>(block.slot + 1) - 1);
    const bool hovered = draw::item("one SM", lanes.area);
    mark_item(chart.marks, "one SM");
    if (!hovered)
        return nullptr;
    const ImVec2 mouse = ImGui::GetMousePos();
    return block_at(picture, sm, static_cast<uint64_t>(std::max(0.0, lanes.ns_at(mouse.x))),
                    static_cast<uint32_t>((mouse.y - box.min.y) / slot));
}

void draw_resident(const PlacementChart& chart, const draw::Box& box)
{
    const PlacementPicture& picture = chart.picture;
    const Theme& theme = chart.theme;
    const float line = draw::line_height(theme.mono);
    Lanes lanes(chart, box);
    lanes.area.max.y -= line + theme.px(4);
    lanes.list->AddRectFilled(lanes.area.min, lanes.area.max, theme.panel);
    const auto most = static_cast<float>(picture.sms * picture.slots);
    std::size_t step = 0;
    const auto resident_at = [&](double until) { // asked with ever later times
        uint32_t blocks = picture.resident[step].blocks;
        for (; step + 1 < picture.resident.size() && static_cast<double>(picture.resident[step + 1].ns) <= until;
             ++step)
            blocks = picture.resident[step + 1].blocks;
        return static_cast<double>(picture.resident.front().ns) > until ? 0 : blocks;
    };
    const auto height_at = [&](float x) {
        return std::round(lanes.area.height() * static_cast<float>(resident_at(lanes.ns_at(x + 1))) /
                          std::max(1.0f, most));
    };
    float from = lanes.area.min.x, height = height_at(from); // columns of one height are one rectangle
    for (float x = from + 1; x <= lanes.area.max.x; x += 1) {
        const float next = x + 1 > lanes.area.max.x ? -1 : height_at(x);
        if (next == height)
            continue;
        lanes.list->AddRectFilled({from, lanes.area.max.y - height}, {x, lanes.area.max.y}, theme.ink_faint);
        from = x;
        height = next;
    }
    label_at(lanes, lanes.area.min.y + line / 2, thousands(uint64_t{picture.sms} * picture.slots));
    label_at(lanes, lanes.area.max.y - line / 2, "0");
    const auto [unit, name] = chart.time.span() >= 2e6    ? std::pair(1e6, " ms")
                              : chart.time.span() >= 2000 ? std::pair(1e3, " µs")
                                                          : std::pair(1.0, " ns");
    const Scale scale({.least = chart.time.from / unit,
                       .most = chart.time.until / unit,
                       .logarithmic = false,
                       .title = {},
                       .unit = name},
                      lanes.area.min.x, lanes.area.max.x);
    draw_ticks(lanes.list, theme, scale, {lanes.area.max.y, lanes.area.max.y + theme.px(3), box.min.x, box.max.x});
}

double time_at(const PlacementChart& chart, const draw::Box& box, float x)
{
    return std::clamp(Lanes(chart, box).ns_at(x), chart.time.from, chart.time.until);
}

void draw_sweep(const PlacementChart& chart, const draw::Box& box, double ns)
{
    if (ns < chart.time.from || ns > chart.time.until)
        return;
    const Lanes lanes(chart, box);
    const float x = std::round(lanes.x(ns));
    const draw::Box line{{x - 1, box.min.y}, {x + 1, box.max.y}};
    lanes.list->AddRectFilled(line.min, line.max, chart.theme.ink);
    mark(chart.marks, "sweep", line);
}

void draw_finish(const PlacementChart& chart, const draw::Box& box, std::size_t column)
{
    const auto end = static_cast<double>(chart.picture.span_ns);
    if (end < chart.time.from || end > chart.time.until)
        return;
    const Lanes lanes(chart, box);
    const Theme& theme = chart.theme;
    const Colour accent = theme.accent(column);
    const float x = std::round(lanes.x(end));
    const draw::Box line{{x - theme.px(2), box.min.y}, {x, box.max.y}};
    lanes.list->AddRectFilled(line.min, line.max, accent);
    mark(chart.marks, fmt::format("finish {}", column), line);
    const std::string words = plain(Message{"placement.finish", {{"time", nanoseconds(end)}}});
    if (x + theme.px(6) + draw::measure(theme.heading, words).x <= box.max.x)
        draw::text(lanes.list, theme.heading, {x + theme.px(6), (box.min.y + box.max.y) / 2}, accent, words);
}

void draw_tail(const PlacementChart& chart, const draw::Box& box, float waves_end)
{
    const PlacementPicture& picture = chart.picture;
    const auto end = static_cast<double>(picture.span_ns), begin = end - static_cast<double>(picture.tail_ns);
    if (picture.blocks.size() < 2 || end < chart.time.from || begin > chart.time.until)
        return;
    const Theme& theme = chart.theme;
    const Lanes lanes(chart, box);
    const float left = lanes.x(begin), right = lanes.x(end), y = box.max.y - theme.px(3);
    // In ink: amber is the time without a block, which is only a part of the tail.
    lanes.list->AddRectFilled({left, y - theme.px(2)}, {right, y}, theme.ink);
    for (const float x : {left, right - theme.px(1)})
        lanes.list->AddRectFilled({x, y - theme.px(6)}, {x + theme.px(1), box.max.y}, theme.ink);
    const std::string words =
        plain(Message{"placement.tail_label", {{"tail", nanoseconds(static_cast<double>(picture.tail_ns))}}});
    const float width = draw::measure(theme.text, words).x;
    // At its left, or over it where that is wide; at its right where what the colours mean stands there.
    float place = right - left > width ? (left + right - width) / 2 : left - width - theme.px(6);
    if (place < waves_end + theme.px(8))
        place = std::max(right + theme.px(6), waves_end + theme.px(8));
    if (place + width <= box.max.x)
        draw::text(lanes.list, theme.text, {place, box.min.y}, theme.ink, words);
    mark(chart.marks, "tail", {left, y - theme.px(2)}, {right, y});
}

float draw_waves(const PlacementChart& chart, const draw::Box& box)
{
    constexpr uint32_t colours = 9; // they repeat then
    const Theme& theme = chart.theme;
    const Lanes lanes(chart, box);
    const std::string name = plain(Message{"placement.wave"});
    float x = lanes.area.min.x;
    draw::text(lanes.list, theme.text, {x, box.min.y}, theme.ink_quiet, name);
    x += draw::measure(theme.text, name).x + theme.px(6);
    const float side = draw::measure(theme.mono, "00").x + theme.px(2);
    // The tail's length stands in the right half. What is no wave, "no block", comes behind the waves and keeps its room.
    const std::string idle = plain(Message{"placement.idle_label"});
    const float last = theme.px(14) + side + theme.px(4) + draw::measure(theme.text, idle).x;
    const float end = lanes.area.min.x + std::min(lanes.area.width() / 2, lanes.area.width() * keys_share - last -
                                                                              draw::measure(theme.text, "... 100").x);
    const auto fitting = static_cast<uint32_t>(std::max(0.0f, (end - x) / (side + theme.px(2))));
    const uint32_t most = std::min(colours, fitting);
    for (uint32_t wave = 0; wave < std::min(chart.picture.waves, most); ++wave, x += side + theme.px(2)) {
        const Colour colour = wave_colour(theme, wave);
        const draw::Box square{{x, box.min.y}, {x + side, box.max.y - theme.px(3)}};
        lanes.list->AddRectFilled(square.min, square.max, colour);
        draw::text_in(lanes.list, theme.mono, square, ink_on(colour), std::to_string(wave + 1));
    }
    if (chart.picture.waves > most) {
        const std::string rest = fmt::format("... {}", chart.picture.waves);
        draw::text(lanes.list, theme.text, {x + theme.px(2), box.min.y}, theme.ink_quiet, rest);
        x += draw::measure(theme.text, rest).x;
    }
    x += theme.px(14);
    if (x + side + draw::measure(theme.text, idle).x > lanes.area.min.x + lanes.area.width() * keys_share)
        return x - theme.px(14);
    const draw::Box square{{x, box.min.y}, {x + side, box.max.y - theme.px(3)}};
    lanes.list->AddRectFilled(square.min, square.max, idle_colour(theme));
    draw::text(lanes.list, theme.text, {square.max.x + theme.px(4), box.min.y}, theme.ink_quiet, idle);
    mark(chart.marks, "idle key", square);
    return square.max.x + theme.px(4) + draw::measure(theme.text, idle).x;
}

} // namespace viz
