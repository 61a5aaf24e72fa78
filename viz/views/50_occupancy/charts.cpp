#include "viz/views/50_occupancy/charts.h"

#include "viz/analysis/occupancy.h"
#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

// Returns the points of a step function: constant up to each value at which it changes, then vertical.
std::vector<CurveLayer::Point> steps_of(const StepChart& chart, const StepCurve& one)
{
    std::vector<CurveLayer::Point> points;
    double before = one.warps(chart.least);
    const auto add = [&](uint32_t value, double warps) {
        points.push_back({static_cast<double>(value) / chart.scale, warps});
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
    return points;
}

// Returns the nearest value that is a step of the chart.
uint32_t value_at(double right, uint32_t scale, uint32_t least, uint32_t most, uint32_t step)
{
    const double value = std::max(right * scale - least, 0.0);
    return std::min(most, least + static_cast<uint32_t>(std::lround(value / step)) * step);
}

} // namespace

Panel step_chart(const StepChart& chart, const Box& box)
{
    const auto on_axis = [&](uint32_t value) { return static_cast<double>(value) / chart.scale; };
    CurveLayer layer{.name = "chart:" + chart.title,
                     .right = {.least = on_axis(chart.least),
                               .most = on_axis(std::max(chart.most, chart.least + 1)),
                               .logarithmic = false,
                               .title = chart.title,
                               .step = on_axis(chart.tick)},
                     .up = {.least = 0,
                            .most = static_cast<double>(chart.most_warps),
                            .logarithmic = false,
                            .title = "resident warps",
                            .step = static_cast<double>(chart.most_warps) / 4}};
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        const StepCurve& one = chart.curves[i];
        if (!one.value)
            continue;
        // A point beyond the axis is drawn at its end, at the height of the actual value.
        const uint32_t value = std::clamp(*one.value, chart.least, chart.most);
        layer.curves.push_back({.points = {{.right = on_axis(value),
                                            .up = static_cast<double>(one.warps(*one.value)),
                                            .name = i == 0 ? "point:" + chart.title : ""}},
                                .colour = one.colour,
                                .line = 0,
                                .radius = 5});
    }
    for (std::size_t i = 0; i < chart.curves.size(); ++i)
        layer.curves.push_back({.points = steps_of(chart, chart.curves[i]),
                                .colour = chart.curves[i].colour,
                                .line = i == 0 ? 2.0f : 1.5f,
                                .filled = i == 0});
    const auto value = [scale = chart.scale, least = chart.least, most = chart.most, step = chart.step](double right) {
        return value_at(right, scale, least, most, step);
    };
    layer.tip = [value, tip = chart.tip](double right, double) { return tip(value(right)); };
    layer.drag = [value, choose = chart.choose](const ViewScene& scene, double right) { choose(scene, value(right)); };
    return {.id = chart.title, .box = box, .layers = {std::move(layer)}};
}

bool has_streaming(const LadderFacts& ladder_facts)
{
    return ladder_facts.gpu.measured && !ladder_facts.gpu.measured->streaming.empty();
}

Panel streaming_chart(const LadderFacts& ladder_facts, std::span<const WaitingCase> cases, const Theme& theme,
                      const Box& box)
{
    CurveLayer chart{.name = "chart:streaming"};
    double most = 0, least = 1e9, widest = 1;
    const auto kib = [](double bytes) { return bytes / 1024; };
    for (const recording::Streaming& one : ladder_facts.gpu.measured->streaming) {
        const double under_way = kib(bytes_under_way(one));
        most = std::max(most, one.gbps);
        least = std::min(least, under_way);
        widest = std::max(widest, under_way);
        if (chart.curves.empty() || chart.curves.back().name != fmt::format("{} B", one.width)) {
            const float strength = std::min(1.0f, 0.45f + 0.28f * static_cast<float>(chart.curves.size()));
            chart.curves.push_back({.name = fmt::format("{} B", one.width),
                                    .points = {},
                                    .colour = draw::with_alpha(theme.load, strength),
                                    .radius = 3,
                                    .label = fmt::format("{} B", one.width)});
        }
        chart.curves.back().points.push_back({.right = under_way,
                                              .up = one.gbps * 1e-3,
                                              .name = fmt::format("streaming:{}:{}", one.width, one.warps_per_sm),
                                              .tip = [one] {
                                                  return rich("{} on each SM, {} bytes per load and thread, {} bytes "
                                                              "under way: {} TB/s from DRAM",
                                                              counted(one.warps_per_sm, "warp"), one.width,
                                                              one.warps_per_sm * 32 * one.width,
                                                              with_decimals(one.gbps * 1e-3, 2));
                                              }});
    }
    const double top = most * 1.12e-3;
    for (const WaitingCase& one : cases)
        if (const auto has = bytes_under_way(one).has) {
            widest = std::max(widest, kib(*has));
            chart.curves.push_back({.name = one.named ? "streaming:has" : "",
                                    .points = {{kib(*has), 0}, {kib(*has), top}},
                                    .colour = theme.accent(one.of.stage->number)});
        }
    std::ranges::reverse(chart.curves);
    chart.right = {.least = least * 0.8, .most = widest * 1.6, .base = 4, .title = "KiB under way on each SM"};
    chart.up = {.least = 0, .most = top, .logarithmic = false, .title = "TB/s from DRAM", .step = 1};
    return {.id = "streaming", .box = box, .layers = {std::move(chart)}};
}

std::vector<WarpsAndSpeed> warps_and_speeds(const LadderFacts& ladder_facts)
{
    std::vector<WarpsAndSpeed> points;
    const auto limits = ladder_facts.gpu.properties ? limits_of(ladder_facts.gpu.properties->compute_capability)
                                                    : std::optional<SmLimits>();
    if (!limits)
        return points;
    for (const StageFacts& rung : ladder_facts.rungs) {
        if (rung.library || !rung.speed || !rung.launched || rung.launched->resources.registers_per_thread == 0)
            continue;
        const Residency held = residency(*limits, {.threads = rung.launched->launch.threads_per_block(),
                                                   .registers = rung.launched->resources.registers_per_thread,
                                                   .shared_bytes = rung.launched->resources.shared_bytes_per_block});
        if (held.blocks > 0)
            points.push_back({&rung, held.warps, rung.speed->gflops});
    }
    return points;
}

Panel speed_chart(const ViewScene& scene, const std::vector<WarpsAndSpeed>& points, const Theme& theme, const Box& box)
{
    const auto most_warps =
        static_cast<double>(limits_of(scene.ladder_facts.gpu.properties->compute_capability)->warps);
    const auto [low, high] = std::ranges::minmax(points, {}, &WarpsAndSpeed::gflops);
    CurveLayer chart{
        .name = "chart:speed by warps",
        .right =
            {.least = 0, .most = most_warps, .logarithmic = false, .title = "resident warps", .step = most_warps / 4},
        .up = {.least = low.gflops / 2, .most = high.gflops * 2, .base = 10, .title = "GFLOPS of each stage"}};
    CurveLayer::Curve shown{.colour = theme.ink, .line = 0, .radius = 5},
        others{.colour = theme.ink_quiet, .line = 0, .radius = 3};
    for (const WarpsAndSpeed& point : points) {
        const auto stage = std::ranges::find(scene.columns, point.rung->slug, &StageColumn::slug);
        const bool is_shown = stage != scene.columns.end();
        (is_shown ? shown : others)
            .points.push_back({.right = static_cast<double>(point.warps),
                               .up = point.gflops,
                               .name = "speed of " + point.rung->slug,
                               .tip =
                                   [point, most_warps] {
                                       return rich("{}: **{}** of {} warps, **{}** GFLOPS. Click to show it.",
                                                   point.rung->slug, point.warps, static_cast<uint32_t>(most_warps),
                                                   number(point.gflops));
                                   },
                               .click = [slug = point.rung->slug](const ViewScene& at) { at.requests.stage = slug; },
                               .colour = is_shown ? theme.accent(stage->number) : 0});
    }
    chart.curves = {std::move(shown), std::move(others)};
    return {.id = "speed by warps", .box = box, .layers = {std::move(chart)}};
}

} // namespace viz
