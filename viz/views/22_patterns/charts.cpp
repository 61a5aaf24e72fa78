#include "viz/text/figures.h"
#include "viz/views/22_patterns/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

namespace {

// Bars in one unit: a wavefront takes the port of shared memory for a cycle.
class MeasuredBars {
public:
    MeasuredBars(const ViewFrame& of, const AccessPattern& shown, const PatternCost& by_rule)
        : frame(of), theme(of.theme), pattern(shown), cost(by_rule)
    {
    }

    BarLayer make()
    {
        const std::string unit = pattern.shared() ? "wavefront" : "sector";
        add("rule", cost.figure, counted(static_cast<uint64_t>(cost.figure), unit), NumberOrigin::derived, [] {
            return rich("By the rule that was measured on an H200, and that equals each pattern measured there.");
        });
        const MeasuredPattern* const measured = frame.ladder_facts.pattern.get();
        const std::optional<model::PatternRow> row = row_to_measure(pattern);
        const bool of_this =
            measured != nullptr && row && measured->row.op == row->op && measured->row.pattern == row->pattern;
        if (of_this && measured->row.measured)
            add("counted", measured->row.measured->a, counted(static_cast<uint64_t>(measured->row.measured->a), unit),
                NumberOrigin::counter, [from = measured->from] {
                    return rich("By the GPU's own counters, for one instruction of one warp: {}.",
                                device_and_date(from));
                });
        if (of_this && measured->row.times)
            add_times(*measured);
        else
            add_shipped_latency();
        return std::move(bars);
    }

private:
    void add(std::string name, double value, std::string words, NumberOrigin origin, Tip tip)
    {
        const Colour colour = cost.figure > cost.least ? theme.warning : theme.good;
        bars.bars.push_back({.name = std::move(name),
                             .parts = {{.series = {},
                                        .value = value,
                                        .words = std::move(words),
                                        .colour = origin == NumberOrigin::derived ? colour : theme.accent()}},
                             .limits = {},
                             .tip = std::move(tip),
                             .click = {},
                             .origin = origin});
    }

    void add_times(const MeasuredPattern& measured)
    {
        const model::PatternTimes& times = *measured.row.times;
        add("one every", times.between, fmt::format("{:.1f} cycles", times.between), NumberOrigin::measured,
            [from = measured.from] {
                return rich("When the warps of an SM always have such an instruction ready: {}.",
                            device_and_date(from));
            });
        if (times.latency > 0)
            add("latency", times.latency, fmt::format("{:.0f} cycles", times.latency), NumberOrigin::measured,
                [from = measured.from] {
                    return rich("Until one warp alone has what it loads: {}.", device_and_date(from));
                });
    }

    // Of a conflict of so many ways, as it was measured for the view of the GPU.
    void add_shipped_latency()
    {
        const auto& gpu = frame.ladder_facts.gpu.measured;
        const bool is_such = pattern.shared() && pattern.access == AccessPattern::Access::load && pattern.bytes() <= 4;
        if (!is_such || !gpu)
            return;
        const auto found = std::ranges::find(gpu->conflict_latency, static_cast<uint32_t>(cost.figure),
                                             &recording::ConflictLatency::ways);
        if (found != gpu->conflict_latency.end())
            add("latency", found->cycles, fmt::format("{:.0f} cycles", found->cycles), origin_of(gpu.from()),
                [ways = found->ways, from = gpu.from()] {
                    return rich("Until one warp alone has what it loads, where {} of one bank are asked for: {}.",
                                counted(ways, "word"), device_and_date(from));
                });
    }

    const ViewFrame& frame;
    const Theme& theme;
    const AccessPattern& pattern;
    const PatternCost& cost;
    BarLayer bars{.name = "measured", .bars = {}};
};

} // namespace

Panel stride_panel(const Theme& theme, const AccessPattern& pattern, const PatternCost& cost,
                   const std::vector<std::optional<int>>& costs, std::function<void(int)> choose, const Box& box)
{
    Panel panel{.id = "strides", .box = box};
    if (costs.empty()) {
        panel.layers = {ProseLayer{rich("*Write* `stride` *into the formula to see its cost for every stride.*")}};
        return panel;
    }
    const std::string unit = pattern.shared() ? "wavefronts" : "sectors";
    const int most = std::ranges::max(costs, {}, [](const auto& one) { return one.value_or(0); }).value_or(1);
    CurveLayer chart{.name = "chart:strides",
                     .right = {.least = 0,
                               .most = static_cast<double>(costs.size()) + 1,
                               .logarithmic = false,
                               .title = "stride",
                               .step = 4},
                     .up = {.least = 0, .most = std::max(most, 4) * 1.15, .logarithmic = false, .title = unit},
                     .curves = {}};
    CurveLayer::Curve all{.name = "strides", .points = {}, .colour = theme.ink_faint, .line = 1, .radius = 4};
    CurveLayer::Curve now{.name = "stride now", .points = {}, .colour = theme.ink, .line = 0, .radius = 8};
    for (std::size_t i = 0; i < costs.size(); ++i) {
        if (!costs[i])
            continue;
        const int stride = static_cast<int>(i) + 1;
        const Colour colour = *costs[i] <= cost.least ? theme.good : theme.warning;
        all.points.push_back({.right = static_cast<double>(stride),
                              .up = static_cast<double>(*costs[i]),
                              .name = fmt::format("stride {}", stride),
                              .colour = colour});
        if (stride == pattern.stride)
            now.points.push_back({.right = static_cast<double>(stride),
                                  .up = static_cast<double>(*costs[i]),
                                  .name = "stride now",
                                  .label = std::to_string(*costs[i]),
                                  .glyph = CurveLayer::Glyph::ring});
    }
    chart.curves = {std::move(now), std::move(all)};
    const auto stride_at = [count = static_cast<int>(costs.size())](double right) {
        return std::clamp(static_cast<int>(std::lround(right)), 1, count);
    };
    chart.tip = [costs, unit, stride_at](double right, double) {
        const int stride = stride_at(right);
        const auto& one = costs[static_cast<std::size_t>(stride) - 1];
        return one ? rich("Stride {}: **{}** {}. Click to choose it.", stride, *one, unit) : Rich();
    };
    chart.drag = [choose = std::move(choose), stride_at](const ViewScene&, double right) { choose(stride_at(right)); };
    panel.layers = {std::move(chart)};
    return panel;
}

std::optional<Panel> measured_panel(const ViewFrame& frame, const AccessPattern& pattern, const PatternCost& cost,
                                    const Box& box)
{
    if (pattern.machine == AccessPattern::Machine::eight || !cost.valid())
        return {};
    BarLayer bars = MeasuredBars(frame, pattern, cost).make();
    if (bars.bars.size() < 2)
        return {};
    return Panel{.id = "measured", .box = box, .title = "what a GPU makes of it", .layers = {std::move(bars)}};
}

} // namespace viz
