#include "viz/figure/lane_strip.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"

#include "recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

using recording::warp_size;

namespace {

struct Places {
    Places(const Theme& theme, float width) : name(theme.px(66))
    {
        const ImVec2 number = draw::measure(theme.mono, "00");
        while (per_row > 4 && (width - name) / static_cast<float>(per_row) < number.x + 4)
            per_row /= 2;
        cell = std::floor(std::min((width - name) / static_cast<float>(per_row), theme.px(28)));
        row = std::round(number.y + theme.px(6));
    }
    float height() const { return row * static_cast<float>(warp_size / per_row); }
    Box of(ImVec2 corner, uint32_t lane) const
    {
        const ImVec2 low{std::round(corner.x + name) + cell * static_cast<float>(lane % per_row),
                         std::round(corner.y) + row * static_cast<float>(lane / per_row)};
        return {low, {low.x + cell - 1, low.y + row - 1}};
    }

    float name, cell = 0, row = 0;
    uint32_t per_row = warp_size;
};

// Returns the numbers of every fourth lane, or of fewer lanes, for cells that are too narrow for numbers. They are
// above the cells.
LabelLayer lane_ruler(const Theme& theme, ImVec2 corner, float cell)
{
    const auto each = static_cast<uint32_t>(
        std::max(every_nth(warp_size, cell, draw::measure(theme.mono, "00").x + theme.px(6)), std::size_t{4}));
    LabelLayer ruler;
    for (uint32_t lane = 0; lane < warp_size; lane += each)
        ruler.labels.push_back(mono_label(
            std::to_string(lane),
            {corner.x + cell * (static_cast<float>(lane) + 0.5f), corner.y + draw::line_height(theme.mono) / 2},
            theme.ink_quiet, Label::Side::middle));
    return ruler;
}

} // namespace

float lane_strip_height(const Theme& theme, float width)
{
    return Places(theme, width).height();
}

std::optional<Box> lane_in_row(const Theme& theme, const Box& box, uint32_t lane)
{
    const Places places(theme, box.width());
    return places.per_row == warp_size ? std::optional(places.of(box.min, lane)) : std::nullopt;
}

Panel lane_strip(const Theme& theme, const LaneStrip& strip, const Box& box)
{
    const Places places(theme, box.width());
    ShapeLayer lanes;
    for (uint32_t lane = 0; lane < warp_size; ++lane) {
        const Box cell = places.of(box.min, lane);
        const bool takes = strip.takes_part >> lane & 1u, chosen = lane == strip.chosen;
        const Colour edge = chosen ? theme.ink : theme.border;
        lanes.shapes.push_back(said_of({.box = cell,
                                        .fill = !takes   ? 0
                                                : chosen ? strip.of_chosen
                                                         : strip.colour,
                                        .stroke = takes && !chosen ? 0 : edge,
                                        .thick = takes ? 2.0f : 1.0f},
                                       {.words = std::to_string(lane),
                                        .tip = [tip = strip.tip, lane] { return tip(lane); },
                                        .click = strip.click(lane)}));
        if ((strip.threads >> lane & 1u) == 0)
            lanes.shapes.push_back({.kind = Shape::Kind::line,
                                    .points = {{cell.min.x, cell.max.y}, {cell.max.x, cell.min.y}},
                                    .stroke = edge});
    }
    LabelLayer name{{{.words = fmt::format("warp {}", strip.warp),
                      .at = {box.min.x, box.min.y + theme.px(2) + draw::line_height(theme.mono_bold) / 2},
                      .distance = 0,
                      .colour = theme.ink,
                      .side = Label::Side::right,
                      .strong = true}}};
    return {.id = strip.id, .box = box, .layers = {std::move(lanes), std::move(name)}};
}

Panel lane_steps(const Theme& theme, const LaneSteps& steps, const Box& box)
{
    Panel panel{.id = steps.id, .box = box, .title = steps.title};
    Box area = layers_box(theme, panel);
    float names = 0;
    for (const LaneSteps::Step& step : steps.steps)
        names = std::max(names, draw::measure(theme.mono, step.name).x);
    names = std::min(names + theme.px(10), area.width() * 0.3f);
    const float counts = draw::measure(theme.mono, "32 of 32").x + theme.px(8);
    const float line = draw::line_height(theme.mono) + theme.px(2);
    const float wide = std::floor((area.width() - names - counts) / warp_size);
    const bool numbered = draw::measure(theme.mono, "00").x <= wide - 1; // a cell has room for its lane's number
    LabelLayer labels;
    if (!numbered) {
        labels = lane_ruler(theme, {area.min.x + names, area.min.y}, wide);
        area.min.y += line;
    }
    const std::size_t all = steps.steps.size();
    const std::size_t shown =
        std::clamp(static_cast<std::size_t>(area.height() / line), std::size_t{1}, std::max(all, std::size_t{1}));
    const std::size_t first = std::min(steps.now - std::min(steps.now, shown / 2), all - std::min(all, shown));
    const float high = std::min(std::floor(area.height() / static_cast<float>(shown)), theme.px(48));
    std::vector<uint32_t> masks; // distinct ones, in order of appearance
    ShapeLayer cells;
    for (std::size_t i = 0; i < all; ++i) {
        const LaneSteps::Step& step = steps.steps[i];
        if (step.mask != 0 && step.mask != 0xffffffff && std::ranges::find(masks, step.mask) == masks.end())
            masks.push_back(step.mask);
        if (i < first || i >= first + shown)
            continue;
        const auto side = static_cast<uint32_t>(std::ranges::find(masks, step.mask) - masks.begin());
        const Colour colour = side == masks.size() ? mix(theme.panel, theme.ink, 0.45f) : category_colour(theme, side);
        const float top = area.min.y + high * static_cast<float>(i - first), left = area.min.x + names;
        const Box row{{left, top}, {left + wide * warp_size, top + high - theme.px(2)}};
        const Action go =
            steps.click ? Action([click = steps.click, i](const ViewScene& scene) { click(scene, i); }) : Action();
        for (uint32_t lane = 0; lane < warp_size; ++lane) {
            const bool takes = (step.mask >> lane & 1u) != 0;
            const Box cell{{left + wide * static_cast<float>(lane), row.min.y},
                           {left + wide * static_cast<float>(lane + 1) - 1, row.max.y}};
            const Tip tip = said_tip(rich("{}: lane {} {}", step.name, index(lane), takes ? "takes part" : "waits"));
            cells.shapes.push_back(
                said_of({.box = cell, .fill = takes ? colour : 0, .stroke = takes ? 0 : theme.border},
                        {.words = numbered ? std::to_string(lane) : "", .tip = tip, .click = go}));
        }
        const std::string count = fmt::format("{} of {}", std::popcount(step.mask), warp_size);
        cells.shapes.push_back(said_of({.box = row}, {.name = fmt::format("step {} lanes", i),
                                                      .value = static_cast<double>(std::popcount(step.mask))}));
        if (i == steps.now)
            cells.shapes.push_back(outline_around(row, theme.ink));
        const Colour ink = i == steps.now ? theme.ink : theme.ink_quiet;
        labels.labels.push_back(mono_label(step.name, {area.min.x, row.middle().y}, ink, Label::Side::right));
        labels.labels.push_back(mono_label(count, {row.max.x + theme.px(8), row.middle().y}, ink, Label::Side::right));
    }
    panel.layers = {std::move(cells), std::move(labels)};
    return panel;
}

} // namespace viz
