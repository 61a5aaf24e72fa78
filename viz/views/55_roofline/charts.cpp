#include "viz/views/55_roofline/facts.h"

#include "viz/analysis/counted.h"
#include "viz/analysis/shapes.h"
#include "viz/draw/draw.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"
#include "viz/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace viz {

namespace {

using Glyph = CurveLayer::Glyph;
using Curve = CurveLayer::Curve;

struct Roof {
    std::string name;
    Ceiling ceiling; // the highest one of the types that share the line
    Colour colour = 0;
    std::string values{}; // of each type, in TFLOPS: "BF16 963, FP16 919"
};

double ceiling_of(const Roof& roof)
{
    return roof.ceiling.value;
}

double highest(const std::vector<Roof>& roofs)
{
    return roofs.empty() ? 0 : ceiling_of(*std::ranges::max_element(roofs, {}, ceiling_of));
}

// Returns the peaks, highest first. Types share a line if their peaks differ by a few percent.
std::vector<Roof> arithmetic_roofs(const Ceilings& ceilings)
{
    std::vector<Roof> roofs;
    for (const Ceilings::Arithmetic& one : ceilings.arithmetic) {
        const std::string value = fmt::format("{} {}", upper_case(one.type), thousands(one.ceiling.value * 1e-3));
        const auto near = std::ranges::find_if(roofs, [&](const Roof& roof) {
            return std::abs(std::log(roof.ceiling.value / one.ceiling.value)) < 0.06 &&
                   roof.ceiling.measured == one.ceiling.measured;
        });
        if (near != roofs.end()) {
            near->name += ", " + upper_case(one.type);
            near->values += ", " + value;
            near->ceiling.value = std::max(near->ceiling.value, one.ceiling.value);
        } else {
            roofs.push_back({upper_case(one.type), one.ceiling, 0, value});
        }
    }
    std::ranges::stable_sort(roofs, std::ranges::greater{}, ceiling_of);
    return roofs;
}

// Returns the bandwidth roofs, highest first.
std::vector<Roof> bandwidth_roofs(const Theme& theme, const Ceilings& ceilings)
{
    std::vector<Roof> roofs;
    const auto add = [&](const char* name, const std::optional<Ceiling>& ceiling, uint32_t colour) {
        if (ceiling)
            roofs.push_back({name, *ceiling, category_colour(theme, colour)});
    };
    add("shared memory", ceilings.shared, 6);
    add("L1", ceilings.l1, 0);
    add("L2", ceilings.l2, 1);
    add("DRAM", ceilings.dram, 2);
    std::ranges::stable_sort(roofs, std::ranges::greater{}, ceiling_of);
    return roofs;
}

// A stage with what is needed to plot it.
struct StagePoint {
    const StageFacts* rung = nullptr;
    Intensity intensity;
    double gflops = 0;
    double most_intensity = 0; // the intensity if every value moves once; 0 if not known
    std::optional<double> by_formula = {}, counted = {}, shared = {};
    Colour accent = 0; // 0 if the stage is not compared
    float moved = 0;   // shift of its column, in pixels at scale 1
};

// Returns all stages that multiply, and all compared ones.
std::vector<StagePoint> points_of(const ChartFacts& facts)
{
    std::vector<StagePoint> points;
    for (const StageFacts& rung : facts.ladder_facts.rungs) {
        const Colour accent = facts.accent(rung.slug);
        if (!rung.speed || (!rung.tile && accent == 0))
            continue;
        const recording::Problem& problem = rung.speed->problem;
        const auto intensity = intensity_of(rung.traffic.value(), rung.tile, problem);
        if (!intensity || intensity->value <= 0)
            continue;
        StagePoint point{.rung = &rung, .intensity = *intensity, .gflops = rung.speed->gflops, .accent = accent};
        if (rung.tile && point.intensity.recorded)
            point.by_formula = rung.tile->intensity();
        const HardwareFigures* const launch = figures_at(rung.counted, problem);
        if (accent != 0 && launch != nullptr && rung.traffic && rung.traffic->flops > 0)
            point.counted = counted_intensity(*launch, flops_of(problem, is_vector(problem))).loads;
        if (rung.tile) {
            const Floor least = floor_of(problem, rung.tile->element_bytes, false, nullptr, nullptr);
            point.most_intensity = least.flops / least.bytes;
        }
        for (std::size_t i = 0; i < facts.shown.size(); ++i)
            if (facts.shown[i] == rung.slug) {
                point.shared = facts.shared[i];
                point.moved = 18 * (static_cast<float>(i) - static_cast<float>(facts.shown.size() - 1) / 2);
                break; // the first column of a stage determines its place and colour
            }
        points.push_back(point);
    }
    return points;
}

// For a GPU of which only the peak and the DRAM bandwidth are known: returns the upper bound of each compared stage, at
// the intensity that it has if every value moves once.
std::vector<StagePoint> bounds_of(const ChartFacts& facts)
{
    std::vector<StagePoint> points;
    for (StagePoint point : points_of(facts)) {
        const Ceiling* const peak = facts.ceilings.of_type(point.rung->type);
        if (point.accent == 0 || point.most_intensity <= 0 || peak == nullptr || !facts.ceilings.dram)
            continue;
        point.gflops = std::min(peak->value, point.most_intensity * facts.ceilings.dram->value);
        point.intensity = {point.most_intensity, false};
        point.by_formula = point.counted = point.shared = std::nullopt;
        points.push_back(point);
    }
    return points;
}

class RooflineChart {
public:
    explicit RooflineChart(const ChartFacts& of)
        : facts(of), theme(of.theme), bandwidths(bandwidth_roofs(of.theme, of.ceilings)),
          peaks(arithmetic_roofs(of.ceilings)), points(of.other.empty() ? points_of(of) : bounds_of(of)),
          top(peaks.empty() ? 1e9 : highest(peaks))
    {
    }

    CurveLayer make()
    {
        chart.name = "chart:roofline";
        set_axes();
        for (const StagePoint& point : points)
            if (point.accent != 0)
                chart.curves.push_back({.name = point.rung->slug,
                                        .points = {place_of(point)},
                                        .colour = point.accent,
                                        .line = 0,
                                        .radius = 6.5f});
        for (const StagePoint& point : points) // after them, because names of stages have priority over other labels
            if (point.accent != 0 && facts.other.empty())
                add_shown(point);
        Curve others{.colour = theme.ink_quiet, .line = 0, .radius = 4};
        for (const StagePoint& point : points)
            if (point.accent == 0)
                others.points.push_back(place_of(point));
        add_roofs();
        chart.curves.push_back(std::move(others)); // last: roofs and compared stages are named first
        chart.tip = [bandwidths = bandwidths, peak = highest(peaks)](double intensity, double gflops) {
            return allowed_at(bandwidths, peak, intensity, gflops);
        };
        return std::move(chart);
    }

private:
    // Returns "At 4 FLOP per byte DRAM feeds 18,160 GFLOPS, ...", and whether a kernel can reach this point.
    static Rich allowed_at(const std::vector<Roof>& bandwidths, double peak, double intensity, double gflops)
    {
        std::vector<Rich> roofs;
        for (const Roof& roof : bandwidths)
            roofs.push_back(rich("{} allows {}", roof.name, number(intensity * roof.ceiling.value)));
        return rich("At {} FLOP per byte {} GFLOPS; the highest peak is {}. {}", number(intensity),
                    listed(std::move(roofs)), number(peak),
                    gflops > std::min(intensity * highest(bandwidths), peak)
                        ? "No kernel can be here."
                        : "Below the roofs: what a kernel can reach.");
    }

    void set_axes()
    {
        double least = 0.25, most = 128, slow = 1000, fast = std::max(10000.0, highest(peaks));
        for (const StagePoint& point : points) {
            slow = std::min(slow, point.gflops);
            fast = std::max(fast, point.gflops);
            least = std::min(least, point.intensity.value);
            most = std::max(most, point.intensity.value);
            if (point.accent == 0)
                continue;
            most = std::max(most, point.most_intensity);
            for (const std::optional<double>& other : {point.by_formula, point.counted, point.shared})
                if (other && *other > 0) {
                    least = std::min(least, *other);
                    most = std::max(most, *other);
                }
        }
        for (const Roof& roof : bandwidths)
            most = std::max(most, highest(peaks) / roof.ceiling.value);
        chart.right = {.least = least / 2,
                       .most = most * 1.5,
                       .base = 2,
                       .title = facts.other.empty() ? "FLOP per byte that its requests move"
                                                    : "FLOP per byte if every value moves once"};
        chart.up = {.least = slow / 2, .most = fast * 1.8, .base = 10, .title = "GFLOPS"};
    }

    // Names a stage, on another GPU with the speed that its roofs allow.
    std::string label_of(const StagePoint& point) const
    {
        if (!facts.other.empty())
            return fmt::format("{}: at most {}", point.rung->slug, thousands(point.gflops));
        return point.rung->slug;
    }

    // Returns the point of a stage: a disc if its intensity is recorded, a ring if it is from a formula. With tensor
    // cores it is a square or a frame.
    CurveLayer::Point place_of(const StagePoint& point) const
    {
        const bool square = uses_tensor_cores(point.rung->type), recorded = point.intensity.recorded;
        return {.right = point.intensity.value,
                .up = point.gflops,
                .name = "point:" + point.rung->slug,
                .label = label_of(point),
                .tip = facts.other.empty() ? Tip([rung = point.rung] { return stage_words(*rung); }) : Tip(),
                .click = choose_stage(point.rung->slug, point.rung->library),
                .glyph = square ? (recorded ? Glyph::square : Glyph::frame) : (recorded ? Glyph::disc : Glyph::ring),
                .leads = point.accent != 0};
    }

    void add_shown(const StagePoint& point)
    {
        if (point.shared && facts.ceilings.shared)
            add_shared(point);
        if (point.accent == theme.accent())
            add_other_intensities(point);
        if (point.most_intensity > 0)
            add_potential(point);
        add_used(point);
    }

    // Adds the speed at the intensity of shared memory: a diamond below its roof.
    void add_shared(const StagePoint& point)
    {
        const double roof = *point.shared * facts.ceilings.shared->value;
        chart.curves.push_back({.points = {{.right = *point.shared,
                                            .up = point.gflops,
                                            .name = "shared:" + point.rung->slug,
                                            .label = "shared memory: " + percent(point.gflops / roof),
                                            .tip = [rung = point.rung] { return stage_words(*rung); },
                                            .click = choose_stage(point.rung->slug, point.rung->library),
                                            .glyph = Glyph::diamond}},
                                .colour = point.accent,
                                .line = 0,
                                .radius = 8});
        add_line(point.accent, 1.5f, {*point.shared, point.gflops}, {*point.shared, roof});
        add_line(draw::with_alpha(point.accent, 0.5f), 1, {*point.shared, point.gflops},
                 {point.intensity.value, point.gflops});
    }

    // Adds the intensities by the formula and by the GPU's counters: named rings at the height of the disc.
    void add_other_intensities(const StagePoint& point)
    {
        for (const auto& [name, value] : {std::pair{"formula", point.by_formula}, {"counted", point.counted}}) {
            constexpr double under_the_disc = 0.05; // approximate radius of the disc, in octaves
            if (!value || *value <= 0 || std::abs(std::log2(*value / point.intensity.value)) < under_the_disc)
                continue;
            chart.curves.push_back({.points = {{.right = *value,
                                                .up = point.gflops,
                                                .name = fmt::format("{}:{}", name, point.rung->slug),
                                                .label = fmt::format("{} {}", name, thousands(*value)),
                                                .glyph = Glyph::ring}},
                                    .colour = point.accent,
                                    .line = 0,
                                    .radius = 4});
            add_line(draw::with_alpha(point.accent, 0.7f), 1, {point.intensity.value, point.gflops},
                     {*value, point.gflops});
        }
    }

    // Adds a line from the point to where it would be if every value moved once.
    void add_potential(const StagePoint& point)
    {
        chart.curves.push_back({.points = {{.right = point.most_intensity,
                                            .up = point.gflops,
                                            .name = "once:" + point.rung->slug,
                                            .label = "each value once: " + thousands(point.most_intensity),
                                            .glyph = Glyph::arrow}},
                                .colour = point.accent,
                                .line = 0,
                                .radius = 5});
        add_line(point.accent, 1, {point.intensity.value, point.gflops}, {point.most_intensity, point.gflops});
        chart.curves.back().dashed = true;
    }

    // Adds a column: up to the point for the used speed, and from there to a roof for the unused one. The roof is the
    // headline's. If that is shared memory's, which has the diamond, it is the nearest of the others.
    void add_used(const StagePoint& point)
    {
        const auto near = near_roof(*point.rung, facts.ceilings, {});
        if (!near)
            return;
        const double roof = std::max(point.gflops / near->share, point.gflops);
        add_line(draw::with_alpha(theme.warning, 0.55f), 18, {point.intensity.value, point.gflops},
                 {point.intensity.value, roof});
        add_line(draw::with_alpha(point.accent, 0.55f), 18, {point.intensity.value, chart.up.least},
                 {point.intensity.value, point.gflops});
        for (std::size_t i = chart.curves.size() - 2; i < chart.curves.size(); ++i)
            for (CurveLayer::Point& end : chart.curves[i].points)
                end.moved = point.moved; // stages that move equally many bytes are side by side
    }

    void add_line(Colour colour, float thick, std::pair<double, double> from, std::pair<double, double> until)
    {
        chart.curves.push_back(
            {.points = {{from.first, from.second}, {until.first, until.second}}, .colour = colour, .line = thick});
    }

    // Fills the area below each bandwidth's slope in its colour, down to the next slope. These are speeds for which
    // this level's bandwidth is enough. The highest peak bounds all areas.
    void add_roofs()
    {
        const double from = chart.right.least / 64, until = chart.right.most * 64;
        const auto foot = [&](const Roof& roof) { return std::pair{from, from * roof.ceiling.value}; };
        const auto ridge = [&](const Roof& roof) { return std::pair{top / roof.ceiling.value, top}; };
        for (std::size_t i = 0; i < bandwidths.size(); ++i) {
            const Roof& roof = bandwidths[i];
            const bool lowest = i + 1 == bandwidths.size();
            chart.regions.push_back(
                {{foot(roof), ridge(roof), lowest ? std::pair{until, top} : ridge(bandwidths[i + 1]),
                  lowest ? std::pair{until, from * roof.ceiling.value} : foot(bandwidths[i + 1])},
                 draw::with_alpha(roof.colour, 0.24f)});
            chart.curves.push_back(
                {.name = "roof:" + roof.name,
                 .points = {{chart.right.least, chart.right.least * roof.ceiling.value}, {ridge(roof).first, top}},
                 .colour = roof.colour,
                 .line = 2,
                 .label = fmt::format("{} {:.3g} TB/s{}", roof.name, roof.ceiling.value * 1e-3,
                                      roof.ceiling.measured ? "" : ", theoretical"),
                 .on_line = true});
        }
        for (const Roof& roof : peaks)
            chart.limits.push_back({.name = "roof:" + roof.name,
                                    .value = roof.ceiling.value,
                                    .colour = theme.ink_quiet,
                                    .words = fmt::format("{} TFLOPS{}", roof.values,
                                                         roof.ceiling.measured ? " measured" : ", theoretical")});
    }

    const ChartFacts& facts;
    const Theme& theme;
    std::vector<Roof> bandwidths, peaks;
    std::vector<StagePoint> points;
    double top;
    CurveLayer chart;
};

} // namespace

Panel roofline_chart(const ChartFacts& facts, const Box& box)
{
    return {.id = "chart", .box = box, .layers = {RooflineChart(facts).make()}};
}

namespace {

using Glyph = CurveLayer::Glyph;

// The range of the added values, wider by a factor on both sides.
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

// Returns the side of a cube with the same work.
double side_of_cube(const recording::Problem& problem)
{
    return std::cbrt(double{1} * problem.M * problem.N * problem.K);
}

// The compared stages are most conspicuous, followed by those `near` the topic.
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

// Puts thick curves first, which is on top.
void sort_by_thickness(std::vector<CurveLayer::Curve>& curves)
{
    std::ranges::stable_sort(curves, std::ranges::greater{}, &CurveLayer::Curve::line);
}

} // namespace

namespace {

// Interrupts a curve where it has no point at a size at which another one has.
void interrupt(CurveLayer::Curve& curve, const std::set<double>& sizes)
{
    for (std::size_t i = 1; i < curve.points.size(); ++i)
        if (const auto between = sizes.upper_bound(curve.points[i - 1].right);
            between != sizes.end() && *between < curve.points[i].right) {
            const auto at = curve.points.begin() + static_cast<std::ptrdiff_t>(i++);
            curve.points.insert(at, {.right = *between, .up = std::numeric_limits<double>::quiet_NaN()});
        }
}

} // namespace

Panel speeds_chart(const ChartFacts& facts, const Box& box)
{
    CurveLayer chart{.name = "chart:speeds"};
    Range sides;
    std::set<double> sizes;
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
            sizes.insert(side_of_cube(speed->problem));
            most = std::max(most, speed->gflops);
            curve.points.push_back({.right = side_of_cube(speed->problem),
                                    .up = speed->gflops,
                                    .tip = [&rung] { return stage_words(rung); },
                                    .click = choose_stage(rung.slug, rung.library)});
        }
        curve.points.back().name = "speed:" + rung.slug;
        chart.curves.push_back(std::move(curve));
    }
    for (CurveLayer::Curve& curve : chart.curves)
        interrupt(curve, sizes);
    sort_by_thickness(chart.curves);
    chart.right = sides.axis(1.3, 2, "M = N = K");
    chart.up = {.least = 0,
                .most = most * 1.08,
                .logarithmic = false,
                .title = facts.on_tensor_cores() ? "GFLOPS, tensor cores" : "GFLOPS, FP32"};
    return {.id = "chart", .box = box, .layers = {std::move(chart)}};
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
                 .click = choose_stage(one.slug, one.library)});
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

// Returns the series of the stages, each once, because stages can have the same substitute. Series of stages that were
// timed themselves are first.
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

// Marks of one shape are side by side. The smallest is on top and has priority for its label.
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

} // namespace viz
