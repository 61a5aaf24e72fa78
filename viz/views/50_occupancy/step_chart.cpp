#include "viz/views/50_occupancy/step_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

class Painter {
public:
    Painter(const StepChart& what, const draw::Box& box)
        : chart(what), theme(what.theme), list(ImGui::GetWindowDrawList()), place(box)
    {
        const float line = draw::measure(theme.mono, "0").y;
        plot = {{box.min.x + draw::measure(theme.mono, "00").x + theme.px(6), box.min.y + line + theme.px(8)},
                {box.max.x - theme.px(8), box.max.y - line - theme.px(6)}};
    }

    float x_of(uint32_t value) const
    {
        const auto range = static_cast<float>(std::max(1u, chart.most - chart.least));
        return plot.min.x + plot.width() * static_cast<float>(value - chart.least) / range;
    }
    float y_of(uint32_t warps) const
    {
        return plot.max.y - plot.height() * static_cast<float>(warps) / static_cast<float>(chart.most_warps);
    }
    uint32_t value_at(float x) const
    {
        const float share = std::clamp((x - plot.min.x) / std::max(1.0f, plot.width()), 0.0f, 1.0f);
        const auto steps = static_cast<uint32_t>(
            std::lround(share * static_cast<float>(chart.most - chart.least) / static_cast<float>(chart.step)));
        return std::min(chart.most, chart.least + steps * chart.step);
    }

    void draw_axes() const
    {
        draw::text(list, theme.text, place.min, theme.ink_quiet, chart.title);
        list->AddRectFilled(plot.min, plot.max, theme.panel);
        for (uint32_t warps = 0; warps <= chart.most_warps; warps += chart.most_warps / 4) {
            const float y = std::round(y_of(warps));
            list->AddRectFilled({plot.min.x, y}, {plot.max.x, y + 1}, theme.border);
            const std::string words = std::to_string(warps);
            const ImVec2 size = draw::measure(theme.mono, words);
            draw::text(list, theme.mono, {plot.min.x - size.x - theme.px(5), y - size.y / 2}, theme.ink_quiet, words);
        }
        float free_from = place.min.x;
        for (uint32_t value = (chart.least + chart.tick - 1) / chart.tick * chart.tick; value <= chart.most;
             value += chart.tick) {
            const std::string words = chart.label(value);
            const float width = draw::measure(theme.mono, words).x;
            const float left = std::min(x_of(value) - width / 2, place.max.x - width);
            list->AddRectFilled({x_of(value), plot.max.y}, {x_of(value) + 1, plot.max.y + theme.px(3)}, theme.border);
            if (left < free_from)
                continue;
            draw::text(list, theme.mono, {left, plot.max.y + theme.px(4)}, theme.ink_quiet, words);
            free_from = left + width + theme.px(8);
        }
    }

    void draw_curve(const StepCurve& curve, bool first) const
    {
        uint32_t before = curve.warps(chart.least);
        float from = x_of(chart.least);
        const float thick = theme.px(first ? 2.0f : 1.5f);
        const auto level = [&](uint32_t warps, float until) {
            list->AddLine({from, y_of(warps)}, {until, y_of(warps)}, curve.colour, thick);
            from = until;
        };
        for (uint32_t value = chart.least + chart.step; value <= chart.most; value += chart.step) {
            const uint32_t now = curve.warps(value);
            if (now == before)
                continue;
            level(before, x_of(value));
            list->AddLine({from, y_of(before)}, {from, y_of(now)}, curve.colour, thick);
            before = now;
        }
        level(before, plot.max.x);
        const uint32_t value = std::clamp(curve.value, chart.least, chart.most);
        const ImVec2 point{x_of(value), y_of(curve.warps(value))};
        list->AddCircleFilled(point, theme.px(6), theme.background);
        list->AddCircleFilled(point, theme.px(5), curve.colour);
        if (first)
            mark(chart.marks, "point:" + chart.title, {point.x - theme.px(5), point.y - theme.px(5)},
                 {point.x + theme.px(5), point.y + theme.px(5)});
    }

    const draw::Box& area() const { return plot; }

private:
    const StepChart& chart;
    const Theme& theme;
    ImDrawList* list;
    draw::Box place, plot;
};

} // namespace

std::optional<ChartHit> draw_step_chart(const StepChart& chart, const draw::Box& box)
{
    const Painter painter(chart, box);
    painter.draw_axes();
    for (std::size_t i = chart.curves.size(); i-- > 0;)
        painter.draw_curve(chart.curves[i], i == 0);
    const draw::Box& plot = painter.area();
    ImGui::SetCursorScreenPos(plot.min);
    ImGui::InvisibleButton(chart.title.c_str(), {std::max(1.0f, plot.width()), std::max(1.0f, plot.height())});
    mark_item(chart.marks, "chart:" + chart.title);
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive())
        return {};
    return ChartHit{painter.value_at(ImGui::GetMousePos().x), ImGui::IsItemActive()};
}

} // namespace viz
