// The roofline view: the nearest limit of the GPU for each stage, and the minimum time of the multiplication.
#include "viz/view_options.h"

#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/step_cost.h"
#include "viz/draw/controls.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"
#include "viz/views/55_roofline/facts.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace viz {

std::unique_ptr<View> make_roofline_view();

namespace {

// Returns the GPU's properties from the recording, for use if there is no other source.
recording::GpuProperties properties_of(const recording::Device& device)
{
    return {.name = device.name,
            .compute_capability = device.compute_capability,
            .sm_count = device.sm_count,
            .clock_khz = device.clock_khz,
            .fp32_gflops = device.peak_gflops};
}

std::string intensity_column(const StageFacts& rung)
{
    if (!rung.speed)
        return "-";
    const auto intensity = intensity_of(rung.traffic.value(), rung.tile, rung.speed->problem);
    if (!intensity)
        return "-";
    return thousands(intensity->value);
}

// Returns FLOP per byte of shared memory.
std::optional<double> shared_intensity_of(const StageColumn& stage, const StageFacts* rung)
{
    if (!stage.recording || stage.recording->blocks.empty())
        return {};
    const recording::BlockTrace& block = stage.recording->blocks[0];
    const ComparedRung compared{stage.slug, *stage.recording, stage.memo<figures_of>(block, Per::multiplications), {}};
    return shared_intensity({compared, largest_counted(rung), stage.memo<recorded_work>(block)});
}

enum class Plotted : uint8_t { roofline, sizes, shapes, random, traffic };
constexpr std::string_view plots[] = {"roofline", "sizes", "shapes", "random", "traffic"};

struct RooflineOptions {
    Plotted plotted = Plotted::roofline;
    bool list = false; // shows all rungs beside the plot
    std::string gpu;   // the GPU whose roofs are drawn: a published name or `typed_gpu`; empty: the GPU at hand
    int peak = 20000, bandwidth = 1000; // of a typed one, in GFLOPS and GB/s
};
constexpr std::string_view typed_gpu = "typed";

void fields(auto& visit, kernels::Like<RooflineOptions> auto& options)
{
    visit("chart", options.plotted, OneOf{plots});
    visit("list", options.list);
    visit("gpu", options.gpu);
    visit("peak", options.peak, kernels::between(1, 10'000'000));
    visit("bandwidth", options.bandwidth, kernels::between(1, 1'000'000));
}

// A GPU whose peak and bandwidth alone are known.
struct OtherGpu {
    std::string name, source;
    double gflops = 0, gbps = 0;

    Ceilings ceilings() const
    {
        Ceilings made;
        made.dram = Ceiling{gbps, false};
        made.arithmetic = {{"fp32", {gflops, false}}};
        return made;
    }
};

// Returns nothing if the roofs are those of the GPU at hand. Plots other than the roofline show measurements.
std::optional<OtherGpu> other_gpu(const RooflineOptions& options)
{
    if (options.plotted != Plotted::roofline)
        return {};
    if (options.gpu == typed_gpu)
        return OtherGpu{"Typed GPU", "typed", static_cast<double>(options.peak),
                        static_cast<double>(options.bandwidth)};
    const auto known = std::ranges::find(known_gpus(), options.gpu, &TypedGpu::name);
    return known == known_gpus().end()
               ? std::nullopt
               : std::optional(OtherGpu{known->name, known->source, known->gflops(), known->gbps()});
}

Rich other_words(const OtherGpu& gpu)
{
    return rich(
        "**{}**: **{}** GFLOPS in FP32 and **{}** GB/s, {}. Nothing was measured or counted on it. Its roofs, and the "
        "least time of this work, follow from these two numbers alone.",
        gpu.name, number(gpu.gflops), number(gpu.gbps), gpu.source);
}

class RooflineView final : public View {
public:
    std::string_view name() const override { return "roofline"; }
    std::string_view title() const override { return "Roofline"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    ViewCommands commands() override
    {
        return {
            {"g",
             "GFLOPS over the size of the matrices, over their shape, share of cuBLAS at random shapes, what memory "
             "moves, or the roofline",
             [this](const ViewScene&) { plot_next(); }},
            {"o", "the roofs of the next GPU: published ones, then a typed one",
             [this](const ViewScene&) { choose_next_gpu(); }},
            {"l", "all rungs as a list", [this](const ViewScene&) { chosen.list = !chosen.list; }}};
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<RooflineOptions>(text); }

private:
    void plot_next()
    {
        chosen.plotted = static_cast<Plotted>((static_cast<std::size_t>(chosen.plotted) + 1) % std::size(plots));
    }
    void choose_next_gpu()
    {
        const auto known = known_gpus();
        const auto now = std::ranges::find(known, chosen.gpu, &TypedGpu::name);
        chosen.plotted = Plotted::roofline;
        chosen.gpu = chosen.gpu.empty()                                                  ? known.front().name
                     : now == known.end()                                                ? ""
                     : static_cast<std::size_t>(now - known.begin()) + 1 == known.size() ? std::string(typed_gpu)
                                                                                         : (now + 1)->name;
    }
    Rich headline_of(const ChartFacts& facts, const StageColumn& stage) const;
    void explain(Figure& figure, const ViewFrame& frame, const ChartFacts& facts) const;
    void add_plot(Figure& figure, const ChartFacts& facts, const Box& place) const;

    RooflineOptions chosen;
    Box switch_place{};        // buttons in the last figure
    float controls_height = 0; // in the last drawn frame; 0 before
};

const StageFacts* rung_of(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    return ladder_facts.find(stage.recording ? stage.recording->stage : stage.slug);
}

Rich RooflineView::headline_of(const ChartFacts& facts, const StageColumn& stage) const
{
    const StageFacts* const rung = rung_of(facts.ladder_facts, stage);
    if (rung == nullptr)
        return rich("The ladder has no such stage, so nothing is known of its speed.");
    if (!facts.other.empty()) {
        const recording::Problem size = rung->speed ? rung->speed->problem : facts.ladder_facts.timed;
        const auto least = floor_of_rung(*rung, size, facts.ceilings).least_ms();
        return least ? rich("{}: at least **{}** at {}", facts.other, time_words(*least * 1e6), size_words(size))
                     : rich("{}: no peak for {} is known", facts.other, rung->type);
    }
    switch (chosen.plotted) {
    case Plotted::roofline: return nearest_roof(*rung, facts.ceilings, facts.shared[stage.number]);
    case Plotted::sizes: return rich("GFLOPS over size");
    case Plotted::shapes: return rich("GFLOPS over shape, the work the same");
    case Plotted::traffic: return busy_headline(busy_of(facts, rung->slug));
    case Plotted::random: break;
    }
    return random_headline(facts.ladder_facts, rung->slug, facts.shown.size() > 1);
}

void RooflineView::explain(Figure& figure, const ViewFrame& frame, const ChartFacts& facts) const
{
    const auto say = [&](Rich paragraph) { figure.said.push_back(std::move(paragraph)); };
    if (const auto other = other_gpu(chosen))
        return say(other_words(*other));
    std::vector<const RandomSeries*> explained; // untimed stages can have the same substitute
    for (const StageColumn& stage : frame.columns) {
        const StageFacts* const rung = rung_of(frame.ladder_facts, stage);
        if (rung == nullptr || chosen.plotted == Plotted::shapes)
            continue;
        if (chosen.plotted == Plotted::random) {
            const RandomSeries* const series = random_series_of(frame.ladder_facts, rung->slug);
            if (series != nullptr && std::ranges::find(explained, series) == explained.end()) {
                say(random_words(frame.ladder_facts, *series));
                explained.push_back(series);
            }
            continue;
        }
        if (chosen.plotted == Plotted::traffic) {
            say(busy_words(busy_of(facts, rung->slug)));
            continue;
        }
        const recording::Problem size = rung->speed ? rung->speed->problem : frame.ladder_facts.timed;
        say(place_words(*rung, facts.ceilings, facts.shared[stage.number]));
        say(intensity_words(*rung, size));
        say(floor_words(*rung, size, facts.ceilings));
        say(origin_words(*rung, frame.ladder_facts.gpu));
    }
    if (chosen.plotted == Plotted::roofline)
        say(rich("*Marks.* Disc: as recorded. Ring: by formula. Square: tensor cores."));
    if (chosen.plotted == Plotted::shapes &&
        has_shapes(frame.ladder_facts)) // otherwise an explanation replaces the plot
        say(shapes_words(frame.ladder_facts));
}

void RooflineView::add_plot(Figure& figure, const ChartFacts& facts, const Box& place) const
{
    const auto say = [&](Rich words) {
        figure.panels.push_back({.id = "chart", .box = place, .layers = {RichTextLayer{std::move(words)}}});
    };
    switch (chosen.plotted) {
    case Plotted::roofline: {
        std::optional<BarLayer> floors = floor_bars(facts);
        const float bars = floors ? draw::row_height(facts.theme, 4) * static_cast<float>(floors->bars.size() + 1) : 0;
        const std::vector<Box> parts = rows(place, {share_of_rest(), pixels(bars)}, floors ? facts.theme.px(8) : 0);
        figure.panels.push_back(roofline_chart(facts, parts[0]));
        if (!facts.other.empty())
            figure.panels.back().title = facts.other + ": its FP32 peak and its DRAM, nothing measured";
        else if (!facts.ceilings.l1 && !facts.ceilings.dram)
            figure.panels.back().title = "The bandwidths of this GPU are not known.";
        if (floors)
            figure.panels.push_back({.id = "least time",
                                     .box = parts[1],
                                     .title = facts.other.empty() ? "least time, and time taken" : "least time",
                                     .layers = {std::move(*floors)}});
        break;
    }
    case Plotted::sizes: figure.panels.push_back(speeds_chart(facts, place)); break;
    case Plotted::traffic: add_traffic(figure, facts, place); break;
    case Plotted::shapes:
        if (!has_shapes(facts.ladder_facts))
            return say(shapes_words(facts.ladder_facts));
        figure.panels.push_back(shapes_chart(facts, place));
        break;
    case Plotted::random:
        if (!has_random_shapes(facts.ladder_facts))
            return say(random_missing(facts.ladder_facts));
        figure.panels.push_back(random_shapes_chart(facts, place));
        break;
    }
}

Figure RooflineView::figure(const ViewFrame& frame, const Box& box)
{
    const Theme& theme = frame.theme;
    const GpuState& gpu = frame.ladder_facts.gpu;
    const StageColumn& first = frame.columns.front();
    const recording::GpuProperties properties =
        gpu.properties ? *gpu.properties
                       : properties_of(first.recording ? first.recording->device : recording::Device());
    const auto other = other_gpu(chosen);
    const Ceilings ceilings =
        other ? other->ceilings() : ceilings_of(properties, gpu.measured ? &*gpu.measured : nullptr);
    ChartFacts facts{frame.ladder_facts, ceilings, theme, {}, {}, other ? other->name : ""};
    for (const StageColumn& stage : frame.columns) {
        facts.shown.push_back(stage.slug);
        facts.shared.push_back(shared_intensity_of(stage, frame.ladder_facts.find(stage.slug)));
    }
    Figure shown;
    shown.numbers = {
        {Numbers::How::derived, "FLOP per byte"}, {Numbers::How::timed, "GFLOPS"}, {Numbers::How::gpu, "roofs"}};
    const HardwareFigures* const counted = largest_counted(frame.ladder_facts.find(first.slug));
    if (other)
        shown.numbers = {{Numbers::How::derived, "least time"}};
    else if (counted != nullptr && (chosen.plotted == Plotted::roofline || chosen.plotted == Plotted::sizes ||
                                    chosen.plotted == Plotted::traffic))
        shown.numbers.push_back({Numbers::How::counted, "caches, DRAM", counted->from});
    const std::vector<Box> columns_of_stages =
        add_headings(shown, frame, box, [&](const StageColumn& stage) { return headline_of(facts, stage); });
    const Box below{{box.min.x, columns_of_stages.front().min.y}, box.max};
    const std::vector<Box> parts =
        columns(below, {share_of_rest(), pixels(chosen.list ? theme.px(340) : 0)}, chosen.list ? theme.px(14) : 0);
    const std::vector<Box> plot =
        rows(parts[0], {pixels(std::max(controls_height, ImGui::GetFrameHeight())), share_of_rest()}, theme.px(4));
    switch_place = plot[0];
    add_plot(shown, facts, plot[1]);
    if (chosen.list)
        shown.panels.push_back(stage_list(facts, parts[1]));
    explain(shown, frame, facts);
    return shown;
}

void RooflineView::draw_controls(ViewFrame& frame)
{
    draw::Controls row(frame, switch_place);
    const bool roofs = chosen.plotted == Plotted::roofline, typed = roofs && chosen.gpu == typed_gpu;
    const auto other = other_gpu(chosen);
    const std::string gpu = typed ? "typed GPU" : other ? other->name : "this GPU";
    if (typed) { // drawn before the buttons, which then begin at the left
        if (const auto value = row.number("GFLOPS", chosen.peak, 1, 10'000'000, "FP32 peak: drag, or click and type"))
            chosen.peak = *value;
        if (const auto value = row.number("GB/s", chosen.bandwidth, 1, 1'000'000, "DRAM: drag, or click and type"))
            chosen.bandwidth = *value;
    } else if (roofs) {
        row.align_right({gpu.c_str(), "roofline", "traffic", "sizes", "shapes", "at random", "list"});
    } else {
        row.align_right({"roofline", "traffic", "sizes", "shapes", "at random", "list"});
    }
    if (roofs && row.choice(gpu.c_str(), other.has_value(), {.mark = "next gpu"}))
        choose_next_gpu();
    const auto offer = [&](const char* words, Plotted which, const char* mark) {
        if (row.choice(words, chosen.plotted == which, {.mark = mark}))
            chosen.plotted = which;
    };
    offer("roofline", Plotted::roofline, "show roofline");
    offer("traffic", Plotted::traffic, "show traffic");
    offer("sizes", Plotted::sizes, "show speeds");
    offer("shapes", Plotted::shapes, "show shapes");
    offer("at random", Plotted::random, "show random shapes");
    if (row.choice("list", chosen.list, {.mark = "show list"}))
        chosen.list = !chosen.list;
    controls_height = row.height();
}

} // namespace

Colour ChartFacts::accent(const std::string& slug) const
{
    const auto found = std::ranges::find(shown, slug);
    return found == shown.end() ? 0 : theme.accent(static_cast<std::size_t>(found - shown.begin()));
}

bool ChartFacts::on_tensor_cores() const
{
    const StageFacts* const first = ladder_facts.find(shown.front());
    return first != nullptr && uses_tensor_cores(first->type);
}

bool uses_tensor_cores(const std::string& type)
{
    return type != "fp32";
}

Rich stage_words(const StageFacts& rung)
{
    const Rich speed = rung.speed ? rich("{} GFLOPS at {}", number(rung.speed->gflops), size_words(rung.speed->problem))
                                  : rich("no speed: {}", in_short(rung.speed.missing()));
    return rich("{}: {} FLOP per byte, {}.{}", rung.slug, intensity_column(rung), speed,
                rung.library ? "" : " Click to choose it.");
}

Action choose_stage(const std::string& slug, bool library)
{
    if (library)
        return {};
    return [slug](const ViewScene& scene) { scene.requests.stage = slug; };
}

std::optional<BarLayer> floor_bars(const ChartFacts& facts)
{
    const Theme& theme = facts.theme;
    BarLayer bars;
    for (const std::string& slug : facts.shown) {
        const StageFacts* const rung = facts.ladder_facts.find(slug);
        if (rung == nullptr || !rung->speed || (rung->traffic && rung->traffic->flops == 0))
            continue;
        const Floor floor = floor_of_rung(*rung, rung->speed->problem, facts.ceilings);
        if (floor.flops <= 0)
            continue;
        const auto add = [&](std::string name, std::string id, double ms, Colour colour) {
            bars.bars.push_back(
                {.name = std::move(name), .parts = {{"", ms, time_words(ms * 1e6), colour}}, .id = std::move(id)});
        };
        if (bars.bars.empty()) { // what the work of the first stage needs
            const auto colour = [&](bool memory) {
                return floor.memory_bound() == memory ? theme.good : theme.ink_faint;
            };
            if (!floor.memory_ms && !floor.arithmetic_ms)
                return {};
            if (floor.memory_ms)
                add("each value once", "least:bytes", *floor.memory_ms, colour(true));
            if (floor.arithmetic_ms)
                add("arithmetic", "least:arithmetic", *floor.arithmetic_ms, colour(false));
        }
        if (!facts.other.empty())
            break;
        const double takes = floor.flops / rung->speed->gflops * 1e-6;
        // The bar of the time for the bytes that this stage requests, at the nearest limit. The headline and the tip of
        // the point mention it.
        if (const auto near = near_roof(*rung, facts.ceilings, facts.shared.front());
            near && near->memory && slug == facts.shown.front())
            add("its bytes, " + near->name, "least:requests", takes * near->share, theme.ink_faint);
        add(slug, "takes:" + slug, takes, facts.accent(slug));
        if (const auto least = floor.least_ms())
            bars.bars.back().limits = {{.name = "least of " + slug, .value = *least, .colour = theme.good}};
    }
    return bars.bars.empty() ? std::nullopt : std::optional(std::move(bars));
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
                             .click = choose_stage(rung.slug, rung.library),
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

std::unique_ptr<View> make_roofline_view()
{
    return std::make_unique<RooflineView>();
}

} // namespace viz
