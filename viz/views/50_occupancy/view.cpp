// The occupancy view: how many blocks an SM holds at once, what limits them, and the steps at which that changes.
#include "viz/view_options.h"

#include "viz/draw/controls.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/templates.h"
#include "viz/views/50_occupancy/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

namespace viz {

std::unique_ptr<View> make_occupancy_view();

namespace {

struct OccupancyOptions {
    bool time = false; // shows warps over time instead of resident blocks, if there are data
};

void fields(auto& visit, kernels::Like<OccupancyOptions> auto& options)
{
    visit("time", options.time);
}

class OccupancyView final : public View {
public:
    std::string_view name() const override { return "occupancy"; }
    std::string_view title() const override { return "Occupancy"; }
    ViewGroup group() const override { return ViewGroup::inside; }
    ViewCommands commands() override;
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<OccupancyOptions>(text); }

private:
    void take_stage(const ViewScene& scene);
    Figure blocks_figure(const ViewFrame& frame, const Box& box);
    bool over_time_shown(const ViewScene& scene) const;
    void draw_switch(ViewFrame& frame, draw::Controls& row);
    void move(uint32_t& value, int64_t step, int64_t least, int64_t most);
    void choose_sm(int step);
    void as_recorded() { changed = false; }
    OccupancyCase case_of(const StageColumn& stage, const LadderFacts& ladder_facts, bool first) const;
    struct Need { // an axis of a chart
        const char* title;
        uint32_t KernelNeeds::*member;
        uint32_t least, most, step, tick;
        double scale() const { return member == &KernelNeeds::shared_bytes ? 1024 : 1; } // values per unit of the axis
        double shown(uint32_t value) const { return value / scale(); }
        uint32_t nearest(double right) const // nearest value on the axis
        {
            const double steps = std::max(right * scale() - least, 0.0) / step;
            return std::min(most, least + static_cast<uint32_t>(std::lround(steps)) * step);
        }
    };
    struct Cases {
        const std::vector<OccupancyCase>& cases;
        const std::vector<WaitingCase>& waiting;
    };
    double warps_with(const Need& axis, KernelNeeds of, uint32_t value) const
    {
        of.*axis.member = value;
        return residency(limits, of).warps;
    }
    std::vector<CurveLayer::Point> steps_of(const Need& axis, const KernelNeeds& of) const;
    Panel step_chart(const Need& axis, const Cases& all, const Theme& theme, const Box& box);
    Rich steps_words(const Need& axis, KernelNeeds moved, uint32_t value) const;
    void add_charts(Figure& figure, const ViewFrame& frame, const Cases& all, const Box& box, bool beside);
    bool measured_elsewhere(const LadderFacts& ladder_facts) const; // on another GPU than the selected one
    void explain(Figure& figure, const LadderFacts& ladder_facts, const Cases& all) const;

    std::shared_ptr<const recording::Recording> recording; // the recording of `needs`
    KernelNeeds needs;
    bool changed = false, focus_field = false;
    SmLimits limits;
    std::optional<uint32_t> pointed; // the resident block under the mouse
    OverTime over_time;
    OccupancyOptions chosen;
    bool watched = false;      // warps over time were visible in the last frame
    Box controls_place{};      // in the last figure
    float controls_height = 0; // in the last drawn frame; 0 before
};

void OccupancyView::take_stage(const ViewScene& scene)
{
    if (recording == scene.columns.front().recording)
        return;
    recording = scene.columns.front().recording;
    changed = false;
    needs = case_of_stage(scene.columns.front(), scene.ladder_facts).needs;
    if (const auto known = limits_of(recording->device.compute_capability))
        limits = *known;
}

ViewCommands OccupancyView::commands()
{
    ViewCommands all;
    const auto add = [&](const char* key, const char* words, auto act) { // for this picture only
        all.push_back({key, words, [this, act](const ViewScene& scene) {
                           take_stage(scene);
                           if (!over_time_shown(scene))
                               act();
                       }});
    };
    const auto registers = [this](int by) { move(needs.registers, by, 1, most_registers); };
    const auto shared = [this](int kib) {
        move(needs.shared_bytes, int64_t{1024} * kib, 0, limits.most_shared_per_block());
    };
    const auto threads = [this](int warps) { move(needs.threads, int64_t{32} * warps, 32, most_threads); };
    add("p", "one register more", [=] { registers(1); });
    add("P", "one register less", [=] { registers(-1); });
    add("u", "1 KiB of shared memory more", [=] { shared(1); });
    add("U", "1 KiB of shared memory less", [=] { shared(-1); });
    add("f", "32 threads more", [=] { threads(1); });
    add("F", "32 threads fewer", [=] { threads(-1); });
    add("e", "back to the stage's own values", [this] { as_recorded(); });
    add("g", "the next GPU", [this] { choose_sm(1); });
    add("G", "the previous GPU", [this] { choose_sm(-1); });
    add("i", "type values", [this] { focus_field = true; });
    all.push_back({"v", "warps over time, or the blocks that fit", [this](const ViewScene& scene) {
                       if (why_not_over_time(scene.ladder_facts, scene.columns.front().slug).empty())
                           chosen.time = !chosen.time;
                   }});
    const ViewCommands of_time = over_time.commands([this] { return watched; });
    all.insert(all.end(), of_time.begin(), of_time.end());
    return all;
}

bool OccupancyView::over_time_shown(const ViewScene& scene) const
{
    return chosen.time && why_not_over_time(scene.ladder_facts, scene.columns.front().slug).empty();
}

void OccupancyView::move(uint32_t& value, int64_t step, int64_t least, int64_t most)
{
    value = static_cast<uint32_t>(std::clamp(static_cast<int64_t>(value) + step, least, most));
    changed = true;
}

void OccupancyView::choose_sm(int step)
{
    const auto sms = known_sms();
    const auto count = static_cast<int>(sms.size());
    int place = 0;
    while (sms[static_cast<std::size_t>(place)].compute_capability != limits.compute_capability)
        ++place;
    limits = sms[static_cast<std::size_t>((place + step + count) % count)];
}

void OccupancyView::draw_switch(ViewFrame& frame, draw::Controls& row)
{
    const std::string refusal = plain(why_not_over_time(frame.ladder_facts, frame.columns.front().slug));
    const bool shown = over_time_shown(frame);
    if (row.choice("over time", shown, {.mark = refusal.empty() ? "over time" : "no over time", .refusal = refusal}))
        chosen.time = !shown;
}

void OccupancyView::draw_controls(ViewFrame& frame)
{
    draw::Controls row(frame, controls_place);
    if (watched)
        return draw_switch(frame, row);
    changed |= row.field("threads per block", "threads", needs.threads, std::exchange(focus_field, false));
    changed |= row.field("registers per thread", "registers", needs.registers, false);
    changed |= row.field("shared bytes per block", "shared", needs.shared_bytes, false);
    if (row.choice("as recorded", !changed))
        as_recorded();
    draw_switch(frame, row);
    const auto name_of = [](const SmLimits& sm) { return fmt::format("sm_{}", sm.compute_capability); };
    const float width = frame.theme.px(74);
    row.place(width);
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##compute capability", name_of(limits).c_str())) {
        for (const SmLimits& sm : known_sms())
            if (ImGui::Selectable(name_of(sm).c_str(), sm.compute_capability == limits.compute_capability))
                limits = sm;
        ImGui::EndCombo();
    }
    controls_height = row.height();
}

OccupancyCase OccupancyView::case_of(const StageColumn& stage, const LadderFacts& ladder_facts, bool first) const
{
    OccupancyCase one = case_of_stage(stage, ladder_facts);
    if (first && changed)
        one.needs = needs;
    one.typed = first && changed;
    fill_sm(limits, one);
    return one;
}

bool OccupancyView::measured_elsewhere(const LadderFacts& ladder_facts) const
{
    return ladder_facts.gpu.properties && ladder_facts.gpu.properties->compute_capability != limits.compute_capability;
}

Rich OccupancyView::steps_words(const Need& axis, KernelNeeds moved, uint32_t value) const
{
    moved.*axis.member = value;
    if (moved.registers == 0)
        return {};
    const Residency there = residency(limits, moved);
    return rich("{} {}: {} of {} warps{}. Click to try it.", static_cast<uint32_t>(axis.shown(value)), axis.title,
                there.warps, limits.warps, there.refusal ? ", it cannot be launched" : "");
}

// Returns the points of a step function: constant up to a value at which it changes, and vertical there.
std::vector<CurveLayer::Point> OccupancyView::steps_of(const Need& axis, const KernelNeeds& of) const
{
    std::vector<CurveLayer::Point> points;
    const auto add = [&](uint32_t value, double warps) { points.push_back({axis.shown(value), warps}); };
    double before = warps_with(axis, of, axis.least);
    add(axis.least, before);
    for (uint32_t value = axis.least + axis.step; value <= axis.most; value += axis.step)
        if (const double now = warps_with(axis, of, value); now != before) {
            add(value, before);
            add(value, now);
            before = now;
        }
    add(axis.most, before);
    return points;
}

// Shows resident warps by one need, with a point for each stage. While the button is down, the value at the mouse is
// used.
Panel OccupancyView::step_chart(const Need& axis, const Cases& all, const Theme& theme, const Box& box)
{
    const auto most_warps = static_cast<double>(limits.warps);
    CurveLayer layer{
        .name = fmt::format("chart:{}", axis.title),
        .right = {.least = axis.shown(axis.least),
                  .most = axis.shown(std::max(axis.most, axis.least + 1)),
                  .logarithmic = false,
                  .title = axis.title,
                  .step = axis.shown(axis.tick)},
        .up = {
            .least = 0, .most = most_warps, .logarithmic = false, .title = "resident warps", .step = most_warps / 4}};
    std::vector<CurveLayer::Curve> steps;
    for (const OccupancyCase& one : all.cases) {
        if (one.unknown() && axis.member != &KernelNeeds::registers)
            continue; // without the register count, the effect of shared memory or threads is not known
        const bool first = steps.empty();
        const Colour colour = theme.accent(one.stage->number);
        const uint32_t value = one.needs.*axis.member;
        if (!one.unknown()) // a point beyond the axis is at its end, at its own height
            layer.curves.push_back({.points = {{.right = axis.shown(std::clamp(value, axis.least, axis.most)),
                                                .up = warps_with(axis, one.needs, value),
                                                .name = first ? fmt::format("point:{}", axis.title) : ""}},
                                    .colour = colour,
                                    .line = 0,
                                    .radius = 5});
        steps.push_back(
            {.points = steps_of(axis, one.needs), .colour = colour, .line = first ? 2.0f : 1.5f, .filled = first});
    }
    std::ranges::move(steps, std::back_inserter(layer.curves)); // below the points
    layer.tip = [this, axis, first = all.cases.front().needs](double right, double) {
        return steps_words(axis, first, axis.nearest(right));
    };
    layer.drag = [this, axis](const ViewScene&, double right) {
        changed |= needs.*axis.member != axis.nearest(right);
        needs.*axis.member = axis.nearest(right);
    };
    return {.id = axis.title, .box = box, .layers = {std::move(layer)}};
}

// Adds the first charts, as many as fit.
void OccupancyView::add_charts(Figure& figure, const ViewFrame& frame, const Cases& all, const Box& box, bool beside)
{
    const Theme& theme = frame.theme;
    const Need registers{"registers per thread", &KernelNeeds::registers, 1, most_registers, 1, 64};
    const Need shared{
        "shared KiB per block", &KernelNeeds::shared_bytes, 0, limits.most_shared_per_block(), 1024, 64 * 1024};
    const Need threads{"threads per block", &KernelNeeds::threads, 32, most_threads, 32, 256};
    const std::vector<WarpsAndSpeed> points = warps_and_speeds(frame.ladder_facts);
    const bool here = !measured_elsewhere(frame.ladder_facts);
    std::vector<std::function<Panel(const Box&)>> charts;
    const auto steps = [&](const Need& axis) {
        charts.emplace_back([&, axis](const Box& place) { return step_chart(axis, all, theme, place); });
    };
    if (here && has_waits(frame.ladder_facts, all.cases))
        charts.emplace_back([&](const Box& place) { return waits_panel(frame.ladder_facts, all.cases, theme, place); });
    steps(registers);
    if (here && has_streaming(frame.ladder_facts))
        charts.emplace_back(
            [&](const Box& place) { return streaming_chart(frame.ladder_facts, all.waiting, theme, place); });
    if (here && !points.empty())
        charts.emplace_back([&](const Box& place) { return speed_chart(frame, points, theme, place); });
    steps(shared);
    steps(threads);
    const float room = beside ? box.width() / theme.px(230) : box.height() / theme.px(120);
    const auto count = static_cast<std::size_t>(std::clamp(std::floor(room), 1.0f, static_cast<float>(charts.size())));
    const std::vector<Track> rooms(count, share_of_rest());
    const std::vector<Box> places = beside ? columns(box, rooms, theme.px(10)) : rows(box, rooms, theme.px(10));
    for (std::size_t i = 0; i < count; ++i)
        figure.panels.push_back(charts[i](places[i]));
}

Figure OccupancyView::figure(const ViewFrame& frame, const Box& box)
{
    take_stage(frame);
    watched = over_time_shown(frame);
    if (!watched) {
        Figure shown = blocks_figure(frame, box);
        // Explains why the button is grey.
        shown.said.push_back(why_not_over_time(frame.ladder_facts, frame.columns.front().slug));
        std::erase(shown.said, Rich{});
        return shown;
    }
    Figure shown;
    const Provenance& from = frame.ladder_facts.warps->from;
    shown.numbers = {{Numbers::How::recorded, "the clock at each step of a warp", from},
                     {Numbers::How::derived, "what it does between two steps"}};
    const std::vector<Box> parts =
        columns(box, {pixels(draw::button_width("over time") + frame.theme.px(12)), share_of_rest()}, 0);
    controls_place = parts[0];
    const std::vector<Box> below = rows(box, {pixels(ImGui::GetFrameHeight()), share_of_rest()}, frame.theme.px(2));
    over_time.add_to(shown, frame, below[1]);
    return shown;
}

void OccupancyView::explain(Figure& figure, const LadderFacts& ladder_facts, const Cases& all) const
{
    for (std::size_t i = 0; i < all.cases.size(); ++i) {
        figure.said.push_back(residency_words(limits, all.cases[i]));
        figure.said.push_back(waiting_words(all.waiting[i]));
        if (all.waiting[i].elsewhere == 0)
            figure.said.push_back(stage_wait_words(ladder_facts, *all.cases[i].stage));
    }
    figure.said.push_back(rich("Each step of a curve is a block that no longer fits. More warps hide more waiting. A "
                               "kernel that keeps more in registers can be faster with fewer."));
    figure.numbers = {{Numbers::How::recorded, "resources of a block"}, {Numbers::How::derived, "occupancy"}};
    if (measured_elsewhere(ladder_facts))
        return;
    const StageColumn& first = *all.cases.front().stage;
    if (dram_needs(ladder_facts))
        figure.numbers.push_back({Numbers::How::gpu, "latency and bandwidth of DRAM"});
    if (const HardwareFigures* const issued = issue_figures(ladder_facts, first))
        figure.numbers.push_back({Numbers::How::counted, "issued and resident warps", issued->from});
    if (const CountedRun* const sampled = sampled_run(ladder_facts, first))
        figure.numbers.push_back({Numbers::How::counted, "what warps wait for", sampled->from});
}

Figure OccupancyView::blocks_figure(const ViewFrame& frame, const Box& box)
{
    const Theme& theme = frame.theme;
    std::vector<OccupancyCase> cases{case_of(frame.columns.front(), frame.ladder_facts, true)};
    if (!changed)
        needs = cases.front().needs; // values of a GPU may arrive later than the recording
    for (std::size_t i = 1; i < frame.columns.size(); ++i)
        if (frame.columns[i].recording)
            cases.push_back(case_of(frame.columns[i], frame.ladder_facts, false));
    std::vector<WaitingCase> waiting;
    double most_bytes = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& loads = cases[i].stage->memo<most_loads_together>();
        waiting.push_back({cases[i], loads, frame.ladder_facts, i == 0,
                           measured_elsewhere(frame.ladder_facts) ? limits.compute_capability : 0});
        const UnderWay bytes = bytes_under_way(waiting[i]);
        if (bytes.needed > 0 || waiting[i].elsewhere != 0) // it needs room in both cases
            most_bytes = std::max({most_bytes, bytes.needed, bytes.has.value_or(0), 1.0});
    }
    Figure shown;
    const Cases all{cases, waiting};
    explain(shown, frame.ladder_facts, all);
    std::vector<Box> places = add_headings(shown, frame, box, [&](const StageColumn& stage) {
        const auto found = std::ranges::find(cases, &stage, &OccupancyCase::stage);
        return found == cases.end() ? Rich() : headline(limits, *found);
    });
    // Charts are beside a single SM, and below several.
    const bool two = cases.size() > 1;
    const Box whole{{box.min.x, places[0].min.y}, box.max};
    const float low =
        whole.height() < theme.px(400) ? 0 : std::clamp(whole.height() * 0.3f, theme.px(140), theme.px(290));
    std::vector<Box> parts =
        two ? rows(whole, {share_of_rest(), pixels(std::max(low, ImGui::GetFrameHeight()))}, theme.px(4))
            : columns(whole, {share_of_rest(0.64f), share_of_rest(0.36f)}, theme.px(8));
    const auto lit = std::exchange(pointed, {});
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Box& place = places[cases[i].stage->number];
        add_sm(shown, {limits, cases[i], theme, i == 0, lit, [this](uint32_t block) { pointed = block; }}, waiting[i],
               most_bytes, two ? Box{place.min, {place.max.x, parts[0].max.y}} : parts[0]);
    }
    const std::vector<Box> charts =
        rows(parts[1], {pixels(std::max(controls_height, ImGui::GetFrameHeight())), share_of_rest()}, theme.px(4));
    controls_place = charts[0];
    if (charts[1].height() > theme.px(60))
        add_charts(shown, frame, all, charts[1], two);
    return shown;
}

} // namespace

std::unique_ptr<View> make_occupancy_view()
{
    return std::make_unique<OccupancyView>();
}

} // namespace viz
