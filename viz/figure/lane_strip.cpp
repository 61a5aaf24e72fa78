#include "viz/figure/lane_strip.h"

#include "recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
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

} // namespace viz
