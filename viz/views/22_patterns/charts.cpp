#include "viz/views/22_patterns/charts.h"

#include "viz/figure/access_diagram.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace viz {

namespace {

void add_measured(BarLayer& bars, std::string name, double value, std::string words, Colour colour, NumberOrigin origin,
                  Rich said)
{
    bars.bars.push_back({.name = name,
                         .parts = {{.series = name, .value = value, .colour = colour, .id = name}},
                         .tip = said_tip(std::move(said)),
                         .words = std::move(words),
                         .origin = origin});
}

} // namespace

Panel stride_panel(const Theme& theme, const AccessPattern& pattern, const PatternCost& cost,
                   const std::vector<std::optional<int>>& costs, std::function<void(int)> choose, const Box& box)
{
    Panel panel{.id = "strides", .box = box};
    if (costs.empty()) {
        panel.layers = {RichTextLayer{rich("*Write* `stride` *into the formula to see its cost for every stride.*")}};
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

Panel width_panel(const Theme& theme, const AccessPattern& pattern,
                  const std::array<std::optional<PatternCost>, 5>& costs,
                  std::function<void(AccessPattern::Width)> choose, const Box& box)
{
    const std::string unit = pattern.shared() ? "wavefront" : "sector";
    BarLayer bars{.name = "width"};
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const int bytes = 1 << i;
        const auto width = static_cast<AccessPattern::Width>(i);
        BarLayer::Bar bar{.name = fmt::format("{} B", bytes), .parts = {}};
        bar.lit = width == pattern.width;
        bar.id = fmt::format("width {}", bytes);
        bar.click = [choose, width](const ViewScene&) { choose(width); };
        if (const auto& cost = costs[i]) {
            const auto figure = static_cast<uint64_t>(cost->figure);
            bar.parts = {{.series = "cost",
                          .value = static_cast<double>(figure),
                          .words = std::to_string(figure),
                          .colour = cost->figure > cost->least ? theme.warning : theme.good,
                          .id = bar.id}};
            const int lanes = pattern.lanes();
            bar.tip = [=, least = cost->least] {
                return rich("{} lanes with {} each, {} in all: **{}**, at least {}. Click to choose this width.", lanes,
                            counted(static_cast<uint64_t>(bytes), "byte"), lanes * bytes, counted(figure, unit), least);
            };
        } else {
            bar.missing = "no pattern";
        }
        bars.bars.push_back(std::move(bar));
    }
    return {.id = "widths",
            .box = box,
            .title = fmt::format("{}s by bytes per lane", unit),
            .shorter = {"by bytes per lane", "by width"},
            .layers = {std::move(bars)}};
}

// All bars are in cycles: a wavefront occupies the port of shared memory for one cycle.
std::optional<Panel> measured_panel(const ViewFrame& frame, const AccessPattern& pattern, const PatternCost& cost,
                                    const Box& box)
{
    if (pattern.machine == AccessPattern::Machine::eight || !cost.valid())
        return {};
    const Theme& theme = frame.theme;
    const MeasuredPattern* measured = frame.ladder_facts.pattern.get();
    if (const auto row = row_to_measure(pattern);
        measured != nullptr && row && (measured->row.op != row->op || measured->row.pattern != row->pattern))
        measured = nullptr; // it measured another pattern
    const auto figure_words = [&](double figure) {
        return counted(static_cast<uint64_t>(figure), pattern.shared() ? "wavefront" : "sector");
    };
    BarLayer bars{.name = "measured", .stacked = true};
    add_measured(bars, "rule", cost.figure, figure_words(cost.figure),
                 cost.figure > cost.least ? theme.warning : theme.good, NumberOrigin::derived,
                 rich("By the rule that equals each pattern measured on an H200."));
    if (measured != nullptr && measured->row.measured)
        add_measured(
            bars, "counted", measured->row.measured->a, figure_words(measured->row.measured->a), theme.accent(),
            NumberOrigin::counter,
            rich("By the GPU's counters, for one instruction of a warp: {}.", device_and_date(measured->from)));
    if (measured != nullptr && measured->row.times) {
        const model::PatternTimes& times = *measured->row.times;
        add_measured(bars, "one every", times.between, fmt::format("{:.1f} cycles", times.between), theme.accent(),
                     NumberOrigin::measured,
                     rich("While the warps of an SM always have one ready: {}.", device_and_date(measured->from)));
        if (times.latency > 0)
            add_measured(bars, "latency", times.latency, fmt::format("{:.0f} cycles", times.latency), theme.accent(),
                         NumberOrigin::measured,
                         rich("Until one warp alone has what it loads: {}.", device_and_date(measured->from)));
    } else if (pattern.shared()) {
        const bool narrow_load = pattern.access == AccessPattern::Access::load && pattern.bytes() <= 4;
        add_conflict_cost(bars, theme, frame.ladder_facts, static_cast<uint32_t>(cost.figure),
                          static_cast<uint32_t>(cost.least), narrow_load);
    }
    if (bars.bars.size() < 2)
        return {};
    return Panel{.id = "measured", .box = box, .title = "what a GPU makes of it", .layers = {std::move(bars)}};
}

} // namespace viz
