#include "viz/views/50_occupancy/step_chart.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

Plot plot_of(const StepChart& chart, const draw::Box& box)
{
    const auto on_axis = [&](uint32_t value) { return static_cast<double>(value) / chart.scale; };
    return {{.least = on_axis(chart.least),
             .most = on_axis(std::max(chart.most, chart.least + 1)),
             .logarithmic = false,
             .title = chart.title,
             .step = on_axis(chart.tick)},
            {.least = 0,
             .most = static_cast<double>(chart.most_warps),
             .logarithmic = false,
             .title = "resident warps",
             .step = static_cast<double>(chart.most_warps) / 4},
            box,
            chart.theme};
}

// Level until the value at which it changes, then straight up or down.
Curve steps_of(const StepChart& chart, const StepCurve& one, bool first)
{
    Curve curve{.points = {}, .colour = one.colour, .line = first ? 2.0f : 1.5f, .radius = 0};
    double before = one.warps(chart.least);
    const auto add = [&](uint32_t value, double warps) {
        curve.points.push_back({static_cast<double>(value) / chart.scale, warps});
    };
    add(chart.least, before);
    for (uint32_t value = chart.least + chart.step; value <= chart.most; value += chart.step) {
        const double now = one.warps(value);
        if (now == before)
            continue;
        add(value, before);
        add(value, now);
        before = now;
    }
    add(chart.most, before);
    return curve;
}

// The warps themselves: what the curve leaves below it.
void fill_below(const Plot& plot, const Curve& curve)
{
    const float bottom = plot.area().max.y;
    for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
        const ImVec2 left = plot.at(curve.points[i]), right = plot.at(curve.points[i + 1]);
        if (right.x > left.x)
            ImGui::GetWindowDrawList()->AddRectFilled(left, {right.x, bottom}, draw::with_alpha(curve.colour, 0.28f));
    }
}

void draw_point(const StepChart& chart, const Plot& plot, const StepCurve& one, bool first)
{
    const Theme& theme = chart.theme;
    if (!one.value)
        return;
    // Beyond the axis the point stays at its end, as high as what was asked for is.
    const uint32_t value = std::clamp(*one.value, chart.least, chart.most);
    const ImVec2 point = plot.at(static_cast<double>(value) / chart.scale, one.warps(*one.value));
    const float radius = theme.px(5);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddCircleFilled(point, radius + theme.px(1), theme.background);
    list->AddCircleFilled(point, radius, one.colour);
    if (first)
        mark(chart.marks, "point:" + chart.title, draw::around(point, radius));
}

// The nearest one that the chart has a step for.
uint32_t value_at(const StepChart& chart, const Plot& plot, float x)
{
    const double value = plot.right().value_at(x) * chart.scale - chart.least;
    const auto steps = static_cast<uint32_t>(std::lround(value / chart.step));
    return std::min(chart.most, chart.least + steps * chart.step);
}

} // namespace

std::optional<ChartHit> draw_step_chart(const StepChart& chart, const draw::Box& box)
{
    const Plot plot = plot_of(chart, box);
    ImDrawList* list = ImGui::GetWindowDrawList();
    plot.draw_axes(list);
    for (std::size_t i = chart.curves.size(); i-- > 0;) {
        const Curve steps = steps_of(chart, chart.curves[i], i == 0);
        if (i == 0)
            fill_below(plot, steps);
        plot.draw(list, steps);
        draw_point(chart, plot, chart.curves[i], i == 0);
    }
    const bool hovered = plot.item(chart.title.c_str(), chart.marks);
    if (!hovered && !ImGui::IsItemActive())
        return {};
    return ChartHit{value_at(chart, plot, ImGui::GetMousePos().x), ImGui::IsItemActive()};
}

} // namespace viz
