// The occupancy view: how many blocks an SM holds at once, what limits them, and the steps at which that changes.
#include "viz/view_options.h"

#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/templates.h"
#include "viz/views/50_occupancy/bytes_under_way.h"
#include "viz/views/50_occupancy/charts.h"
#include "viz/views/50_occupancy/over_time.h"
#include "viz/views/50_occupancy/sm_panels.h"
#include "viz/views/50_occupancy/waits_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace viz {

std::unique_ptr<View> make_occupancy_view();

namespace {

struct OccupancyOptions {
    bool time = false; // shows warps over time instead of resident blocks, if the stage has data
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
    void draw_switch(ViewFrame& frame);
    void move(uint32_t& value, int64_t step, int64_t least, int64_t most);
    void choose_sm(int step);
    void as_recorded() { changed = false; }
    OccupancyCase case_of(const StageColumn& stage, const LadderFacts& ladder_facts, bool first) const;
    struct Need { // an axis of a chart
        const char* title;
        uint32_t KernelNeeds::*member;
        uint32_t least, most, step, tick;
    };
    struct Cases {
        const std::vector<OccupancyCase>& cases;
        const std::vector<WaitingCase>& waiting;
    };
    Panel steps_of(const Need& axis, const Cases& all, const Theme& theme, const Box& box);
    Rich steps_words(const Need& axis, KernelNeeds moved, uint32_t value) const;
    void add_charts(Figure& figure, const ViewFrame& frame, const Cases& all, const Box& box, bool beside);
    bool measured_elsewhere(const LadderFacts& ladder_facts) const; // on another GPU than the selected one
    void add_sm(Figure& figure, const SmFacts& facts, const WaitingCase& waiting, double most_bytes,
                const Box& box) const;
    void explain(Figure& figure, const LadderFacts& ladder_facts, const Cases& all) const;

    std::shared_ptr<const recording::Recording> recording; // the recording that the values were taken from
    KernelNeeds needs;
    bool changed = false, focus_field = false;
    SmLimits limits;
    std::optional<uint32_t> pointed; // the resident block under the mouse in the last frame
    OverTime over_time;
    OccupancyOptions chosen;
    bool watched = false;      // warps over time were shown in the last frame
    Box controls_place{};      // in the last figure
    float controls_height = 0; // when last drawn; 0 before the first time
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
    const auto add = [&](const char* key, const char* words, auto act) { // not while the other picture is shown
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

void OccupancyView::draw_switch(ViewFrame& frame)
{
    const std::string refusal = plain(why_not_over_time(frame.ladder_facts, frame.columns.front().slug));
    const bool shown = over_time_shown(frame);
    if (draw::choice(frame.theme, {"over time", shown, refusal}, frame.hint))
        chosen.time = !shown;
    mark_item(frame.marks, refusal.empty() ? "over time" : "no over time");
}

// Draws the controls in one row, or in several if the place is narrow.
void OccupancyView::draw_controls(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    const Box& box = controls_place;
    ImGui::SetCursorScreenPos(box.min);
    if (watched)
        return draw_switch(frame);
    ImGui::BeginGroup();
    bool begun = false;
    const auto room_for = [&](float width) {
        if (std::exchange(begun, true) && ImGui::GetItemRectMax().x + theme.px(8) + width <= box.max.x)
            ImGui::SameLine(0, theme.px(8));
    };
    const auto field = [&](const char* name, const char* words, uint32_t& value) {
        room_for(ImGui::CalcTextSize(words).x + theme.px(64));
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(words);
        ImGui::SameLine();
        if (std::string_view(name) == "threads per block" && std::exchange(focus_field, false))
            ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(theme.px(56));
        ImGui::PushFont(theme.mono);
        changed |= ImGui::InputScalar(fmt::format("##{}", name).c_str(), ImGuiDataType_U32, &value, nullptr, nullptr,
                                      nullptr, ImGuiInputTextFlags_AutoSelectAll);
        ImGui::PopFont();
        mark_field(frame.marks, name);
    };
    field("threads per block", "threads", needs.threads);
    field("registers per thread", "registers", needs.registers);
    field("shared bytes per block", "shared", needs.shared_bytes);
    room_for(draw::button_width("as recorded"));
    if (draw::choice(theme, {"as recorded", !changed, {}}, frame.hint))
        as_recorded();
    room_for(draw::button_width("over time"));
    draw_switch(frame);
    const auto name_of = [](const SmLimits& sm) { return fmt::format("sm_{}", sm.compute_capability); };
    room_for(theme.px(74));
    ImGui::SetNextItemWidth(theme.px(74));
    if (ImGui::BeginCombo("##compute capability", name_of(limits).c_str())) {
        for (const SmLimits& sm : known_sms())
            if (ImGui::Selectable(name_of(sm).c_str(), sm.compute_capability == limits.compute_capability))
                limits = sm;
        ImGui::EndCombo();
    }
    ImGui::EndGroup();
    controls_height = ImGui::GetItemRectSize().y;
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
    return rich("{} {}: {} of {} warps{}. Click to try it.",
                axis.member == &KernelNeeds::shared_bytes ? value / 1024 : value, axis.title, there.warps, limits.warps,
                there.refusal ? ", it cannot be launched" : "");
}

// A value under the mouse is applied while the button is down.
Panel OccupancyView::steps_of(const Need& axis, const Cases& all, const Theme& theme, const Box& box)
{
    StepChart chart{.title = axis.title,
                    .least = axis.least,
                    .most = axis.most,
                    .step = axis.step,
                    .tick = axis.tick,
                    .scale = axis.member == &KernelNeeds::shared_bytes ? 1024u : 1u,
                    .most_warps = limits.warps};
    for (const OccupancyCase& one : all.cases) {
        if (one.unknown() && axis.member != &KernelNeeds::registers)
            continue; // without the register count, the effect of other shared memory or threads is not known
        chart.curves.push_back({theme.accent(one.stage->number),
                                [limits = limits, member = axis.member, moved = one.needs](uint32_t value) {
                                    KernelNeeds at = moved;
                                    at.*member = value;
                                    return residency(limits, at).warps;
                                },
                                one.unknown() ? std::nullopt : std::optional(one.needs.*axis.member)});
    }
    chart.tip = [this, axis, first = all.cases.front().needs](uint32_t value) {
        return steps_words(axis, first, value);
    };
    chart.choose = [this, member = axis.member](const ViewScene&, uint32_t value) {
        changed |= needs.*member != value;
        needs.*member = value;
    };
    return step_chart(chart, box);
}

// Adds as many charts as fit, beginning with the first.
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
        charts.emplace_back([&, axis](const Box& place) { return steps_of(axis, all, theme, place); });
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
    const std::vector<Room> rooms(count, share_of_rest());
    const std::vector<Box> places = beside ? columns(box, rooms, theme.px(10)) : rows(box, rooms, theme.px(10));
    for (std::size_t i = 0; i < count; ++i)
        figure.panels.push_back(charts[i](places[i]));
}

// Adds the SM above its bars, and below them the bytes that its warps have in flight.
void OccupancyView::add_sm(Figure& figure, const SmFacts& facts, const WaitingCase& waiting, double most_bytes,
                           const Box& box) const
{
    const Theme& theme = facts.theme;
    const Rich callout = next_block_words(limits, facts.one);
    const std::string id = "next block of " + facts.one.stage->slug;
    if (facts.one.now.refusal) {
        figure.panels.push_back({.id = id, .box = box, .layers = {ProseLayer{callout}}});
        return;
    }
    const float below = most_bytes > 0 ? waiting_height(theme) : 0, line = draw::row_height(theme, 8),
                gap = theme.px(6);
    const float bars = std::min((box.height() - below - line - gap) * 0.52f, theme.px(260));
    const std::vector<Box> parts = rows(box, {share_of_rest(), pixels(bars), pixels(line), pixels(below)}, gap);
    for (Panel& panel : scheduler_panels(facts, parts[0]))
        figure.panels.push_back(std::move(panel));
    for (Panel& panel : limit_panels(facts, parts[1]))
        figure.panels.push_back(std::move(panel));
    if (draw::measure(theme.text, plain(callout)).x <= box.width())
        figure.panels.push_back({.id = id, .box = parts[2], .layers = {ProseLayer{callout}}});
    if (most_bytes > 0)
        figure.panels.push_back(waiting_panel(theme, waiting, most_bytes, parts[3]));
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
    figure.said.push_back(
        rich("*Resident warps* when one of the three changes and the others stay. Each step is a block "
             "that no longer fits. More warps hide more waiting, but are not speed by themselves: a "
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
        needs = cases.front().needs; // a GPU's values may be read later than the recording
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
        if (bytes.needed > 0 || waiting[i].elsewhere != 0) // it takes room in either case
            most_bytes = std::max({most_bytes, bytes.needed, bytes.has.value_or(0), 1.0});
    }
    Figure shown;
    const Cases all{cases, waiting};
    explain(shown, frame.ladder_facts, all);
    std::vector<Box> places = add_headings(shown, frame, box, [&](const StageColumn& stage) {
        const auto found = std::ranges::find(cases, &stage, &OccupancyCase::stage);
        return found == cases.end() ? Rich() : headline(limits, *found);
    });
    // The charts are beside a single SM, but below several SMs.
    const bool two = cases.size() > 1;
    const Box whole{{box.min.x, places[0].min.y}, box.max};
    const float low =
        whole.height() < theme.px(400) ? 0 : std::clamp(whole.height() * 0.27f, theme.px(140), theme.px(290));
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
