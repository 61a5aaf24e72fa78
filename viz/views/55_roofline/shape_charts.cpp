#include "viz/views/55_roofline/charts.h"

#include "viz/analysis/shapes.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"
#include "viz/view.h"
#include "viz/views/55_roofline/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace viz {

namespace {

using Glyph = CurveLayer::Glyph;

// The range of the added values, extended by a factor on both sides.
struct Range {
    double least = 1e9, most = 1;
    void add(double value)
    {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    Axis axis(double below, double above, std::string title, double base = 2) const
    {
        return {
            .least = std::min(least, most / 2) / below, .most = most * above, .base = base, .title = std::move(title)};
    }
};

// Returns the side of a cube with the same amount of work.
double side_of_cube(const recording::Problem& problem)
{
    return std::cbrt(double{1} * problem.M * problem.N * problem.K);
}

// Emphasizes compared stages most, then stages that are `near` to the topic.
CurveLayer::Curve curve_of(const ChartFacts& facts, const std::string& slug, bool library, bool near)
{
    const Colour accent = facts.accent(slug);
    const Theme& theme = facts.theme;
    return {.name = slug,
            .points = {},
            .colour = accent != 0 ? accent
                      : library   ? theme.good
                      : near      ? theme.ink_quiet
                                  : theme.ink_faint,
            .line = accent != 0 ? 2.5f
                    : near      ? 1.75f
                                : 1,
            .radius = accent != 0 ? 4.5f
                      : near      ? 3.5f
                                  : 2.5f};
}

// Puts emphasized curves on top, which means first.
void sort_by_thickness(std::vector<CurveLayer::Curve>& curves)
{
    std::ranges::stable_sort(curves, std::ranges::greater{}, &CurveLayer::Curve::line);
}

} // namespace

Panel speeds_chart(const ChartFacts& facts, const Box& box)
{
    CurveLayer chart{.name = "chart:speeds"};
    Range sides;
    double most = 1;
    for (const StageFacts& rung : facts.ladder_facts.rungs) {
        if (uses_tensor_cores(rung.type) != facts.on_tensor_cores() || rung.speeds.empty() ||
            rung.speeds.back()->problem.M <= 1)
            continue;
        CurveLayer::Curve curve = curve_of(facts, rung.slug, rung.library, false);
        if (facts.accent(rung.slug) != 0 || rung.library)
            curve.label = rung.slug;
        for (const Measured<SpeedAt>& speed : rung.speeds) {
            sides.add(side_of_cube(speed->problem));
            most = std::max(most, speed->gflops);
            curve.points.push_back({.right = side_of_cube(speed->problem),
                                    .up = speed->gflops,
                                    .tip = [&rung] { return stage_words(rung); },
                                    .click = choose_stage(rung)});
        }
        curve.points.back().name = "speed:" + rung.slug;
        chart.curves.push_back(std::move(curve));
    }
    sort_by_thickness(chart.curves);
    chart.right = sides.axis(1.3, 2, "M = N = K");
    chart.up = {.least = 0,
                .most = most * 1.08,
                .logarithmic = false,
                .title = facts.on_tensor_cores() ? "GFLOPS, tensor cores" : "GFLOPS, FP32"};
    return {.id = "chart", .box = box, .layers = {std::move(chart)}};
}

bool has_shapes(const LadderFacts& ladder_facts)
{
    return ladder_facts.shapes != nullptr && !ladder_facts.shapes->series.empty();
}

Panel shapes_chart(const ChartFacts& facts, const Box& box)
{
    const std::optional<SplitPair> pair = split_pair(*facts.ladder_facts.shapes);
    const auto in_pair = [&](const ShapeSeries& one) {
        return pair && (pair->whole == &one || std::ranges::find(pair->split, &one) != pair->split.end());
    };
    CurveLayer chart{.name = "chart:shapes"};
    Range sides, speeds;
    for (const ShapeSeries& one : facts.ladder_facts.shapes->series) {
        if (uses_tensor_cores(one.type) != facts.on_tensor_cores() || one.speeds.empty())
            continue;
        const std::string name = slices(one) > 1 ? fmt::format("{}, {} slices", one.slug, slices(one)) : one.slug;
        const bool near = one.library || in_pair(one);
        CurveLayer::Curve curve = curve_of(facts, one.slug, one.library, near);
        for (const ShapeSpeed& speed : one.speeds) {
            const double side = side_of_result(speed.problem);
            sides.add(side);
            speeds.add(speed.gflops);
            curve.points.push_back(
                {.right = side,
                 .up = speed.gflops,
                 .name = fmt::format("shape:{} {}", name, curve.points.size()),
                 .label = curve.points.empty() && (near || facts.accent(one.slug) != 0) ? name : "",
                 .tip =
                     [name, speed] {
                         const Rich said =
                             rich("{} at {}: **{}** GFLOPS", name, size_words(speed.problem), number(speed.gflops));
                         return speed.blocks > 0 ? rich("{}, {}", said, counted(speed.blocks, "block")) : said;
                     },
                 .click = one.library ? Action()
                                      : [slug = one.slug](const ViewScene& scene) { scene.requests.stage = slug; }});
        }
        chart.curves.push_back(std::move(curve));
    }
    sort_by_thickness(chart.curves);
    chart.right = sides.axis(3.6, 1.3, "M = N; K as long as the same work takes"); // leaves room for names at the left
    chart.up = speeds.axis(1.5, 1.6, "GFLOPS", 10);
    return {.id = "chart", .box = box, .layers = {std::move(chart)}};
}

namespace {

constexpr double most_share = 1.5; // upper end of the colour scale; the lower end is 1 / most_share

// Returns each series once, because two stages may have the same substitute. Series of stages that were timed
// themselves come first.
std::vector<const RandomSeries*> random_series(const ChartFacts& facts)
{
    std::vector<const RandomSeries*> shown;
    for (const bool own : {true, false})
        for (const std::string& slug : facts.shown) {
            const RandomSeries* const one = random_series_of(facts.ladder_facts, slug);
            if (one != nullptr && (one->slug == slug) == own && std::ranges::find(shown, one) == shown.end())
                shown.push_back(one);
        }
    return shown;
}

// Marks of one shape are drawn side by side. The smallest is on top and labelled first.
CurveLayer::Point random_point(const ChartFacts& facts, const RandomSeries& one, const RandomShape& shape, float moved)
{
    const recording::Problem& size = shape.problem;
    const Colour fill = share_colour(facts.theme, shape.of_cublas);
    return {.right = side_of_result(size),
            .up = static_cast<double>(size.K),
            .name = fmt::format("random:{} {}x{}x{}", one.slug, size.M, size.N, size.K),
            .label = fmt::format("{:.{}f}", shape.of_cublas, shape.of_cublas < 9.995 ? 2 : 1),
            .tip = [&one, &shape] { return random_words(one, shape); },
            .glyph = in_whole_rows(size, one.type) ? Glyph::square : Glyph::diamond,
            .colour = facts.accent(one.slug) != 0 ? fill : mix(fill, facts.theme.panel, 0.6f),
            .moved = moved,
            .value = shape.of_cublas};
}

} // namespace

Colour share_colour(const Theme& theme, double share)
{
    const double far = std::log(share) / std::log(most_share);
    return mix(mix(theme.panel, theme.ink, 0.4f), share < 1 ? theme.warning : theme.good,
               static_cast<float>(std::min(1.0, std::abs(far))));
}

Panel random_shapes_chart(const ChartFacts& facts, const Box& box)
{
    const std::vector<const RandomSeries*> series = random_series(facts);
    const float radius = series.size() == 1 ? 8.0f : 6.5f;
    CurveLayer chart{.name = "chart:random"};
    CurveLayer::Curve marks{.colour = facts.theme.ink_quiet, .line = 0, .radius = radius};
    Range sides, depths;
    for (std::size_t i = 0; i < series.size(); ++i)
        for (const RandomShape& shape : series[i]->shapes) {
            sides.add(side_of_result(shape.problem));
            depths.add(shape.problem.K);
            const float from_middle = static_cast<float>(i) - static_cast<float>(series.size() - 1) / 2;
            marks.points.push_back(random_point(facts, *series[i], shape, from_middle * 2.2f * radius));
        }
    std::ranges::stable_sort(marks.points, std::ranges::greater{},
                             [](const CurveLayer::Point& one) { return one.value.value_or(0); });
    chart.curves.push_back(std::move(marks));
    chart.right = sides.axis(1.3, 1.3, "side of C, were it square");
    chart.up = depths.axis(1.3, 1.3, "K");
    Panel panel{.id = "chart", .box = box, .layers = {std::move(chart)}};
    for (const double share : {1 / most_share, 1.0, most_share})
        panel.legend.push_back({share_colour(facts.theme, share), fmt::format("{:.2f} x cuBLAS", share)});
    panel.legend.push_back({0, "squares: rows of n × 16 bytes"});
    panel.legend.push_back({0, "diamonds: other rows"});
    return panel;
}

Panel stage_list(const ChartFacts& facts, const Box& box)
{
    BarLayer bars{.name = "row", .on_ground = true};
    for (const StageFacts& rung : facts.ladder_facts.rungs) {
        const Colour accent = facts.accent(rung.slug);
        const std::optional<double> gflops = rung.speed ? std::optional(rung.speed->gflops) : std::nullopt;
        const Ceiling* const peak = facts.ceilings.of_type(rung.type);
        std::string words = gflops ? thousands(*gflops) : "";
        if (gflops && peak != nullptr)
            words += fmt::format(" {:>6}", percent(*gflops / peak->value));
        bars.bars.push_back({.name = rung.slug,
                             .parts = {{"", gflops, std::move(words),
                                        accent != 0    ? accent
                                        : rung.library ? facts.theme.good
                                                       : facts.theme.ink_faint}},
                             .tip = [&rung] { return stage_words(rung); },
                             .click = choose_stage(rung),
                             .lit = accent != 0});
    }
    std::ranges::stable_sort(bars.bars, std::ranges::greater{},
                             [](const BarLayer::Bar& bar) { return bar.parts.front().value.value_or(0); });
    return {.id = "list",
            .box = box,
            .title = "GFLOPS, and share of the peak",
            .layers = {std::move(bars)},
            .is_picture = false};
}

namespace {

Rich gain_words(const SplitPair& pair, const SplitAt& gain, uint32_t sms)
{
    return rich(
        "At {} `{}` has **{}**{} and gives **{}** GFLOPS. `{}` with {} slices of K has **{}** and gives **{}**, "
        "**{} times** as much.",
        size_words(gain.whole->problem), pair.whole->slug, counted(gain.whole->blocks, "block"),
        sms > 0 ? fmt::format(" for {} SMs", sms) : "", number(gain.whole->gflops), pair.split.front()->slug,
        gain.slices, counted(gain.split->blocks, "block"), number(gain.split->gflops), with_decimals(gain.gain(), 2));
}

Rich library_words(const LadderFacts& ladder_facts, const recording::Problem& problem)
{
    const LibraryKernels::Row* row =
        ladder_facts.library != nullptr ? ladder_facts.library->find("fp32", problem) : nullptr;
    if (row == nullptr)
        return {};
    bool splits = false;
    std::vector<Rich> kernels;
    for (const recording::LaunchedKernel& one : row->at.kernels) {
        splits = splits || reduces(one.name) || one.launch.grid.z > 1;
        kernels.push_back(rich("`{}` in **{}**", short_name(one.name), counted(one.launch.grid.volume(), "block")));
    }
    return rich("cuBLAS {} {}.", splits ? "splits K here, too: it launches" : "launches here",
                listed(std::move(kernels)));
}

uint32_t sms_of(const LadderFacts& ladder_facts)
{
    if (ladder_facts.library != nullptr && ladder_facts.library->sm_count > 0)
        return ladder_facts.library->sm_count;
    return ladder_facts.gpu.properties ? ladder_facts.gpu.properties->sm_count : 0;
}

} // namespace

Rich shapes_words(const LadderFacts& ladder_facts)
{
    if (!has_shapes(ladder_facts))
        return rich(
            "*No speeds of other shapes are known.* {} Run `scripts/make-assets --only shapes` where there is an "
            "NVIDIA GPU. It times every stage on one amount of work, in shapes from tall to flat.",
            ladder_facts.shapes != nullptr ? in_sentences(ladder_facts.shapes->missing) : Rich());
    const auto pair = split_pair(*ladder_facts.shapes);
    const std::vector<SplitAt> gains = pair ? split_gains(*pair) : std::vector<SplitAt>();
    const Rich question = rich("*When do more blocks beat less work per block?*");
    if (gains.empty())
        return rich("{} No stage that splits K was timed beside the one that it is made of.", question);
    const recording::Problem& tallest = gains.front().whole->problem;
    std::vector<Rich> said{rich("{} Every point is the same {} GFLOP; to the left C is small and K long.", question,
                                number(flops_of(tallest, false) * 1e-9)),
                           gain_words(*pair, gains.front(), sms_of(ladder_facts)),
                           library_words(ladder_facts, tallest)};
    const auto enough = std::ranges::find_if(gains, [](const SplitAt& gain) { return gain.gain() < 1.02; });
    if (enough == gains.end()) {
        said.push_back(rich("At none of these shapes splitting is without gain."));
    } else {
        if (enough != gains.begin())
            said.push_back(gain_words(*pair, *enough, 0));
        said.push_back(
            rich("There the blocks fill the GPU by themselves, and slices only add traffic and a second launch."));
    }
    said.push_back(rich("> {}.", how_had(ladder_facts.shapes->from)));
    return joined(std::move(said));
}

} // namespace viz
