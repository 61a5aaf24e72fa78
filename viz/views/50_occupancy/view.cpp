// Occupancy: how many blocks an SM holds at once, what limits them, and the steps in which it changes.
#include "viz/view.h"
#include "viz/view_options.h"

#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/figure/draw_figure.h"
#include "viz/views/50_occupancy/bytes_under_way.h"
#include "viz/views/50_occupancy/over_time.h"
#include "viz/views/50_occupancy/sm_picture.h"
#include "viz/views/50_occupancy/speed_chart.h"
#include "viz/views/50_occupancy/step_chart.h"
#include "viz/views/50_occupancy/streaming_chart.h"
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
    bool time = false; // warps over time instead of the blocks that fit, where there is something of the stage
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
    std::vector<Numbers> numbers() const override
    {
        if (watched_from)
            return {{Numbers::How::recorded, "the clock at each step of a warp", watched_from},
                    {Numbers::How::derived, "what it does between two steps"}};
        std::vector<Numbers> all = {{Numbers::How::recorded, "resources of a block"},
                                    {Numbers::How::derived, "occupancy"}};
        if (shows_measured)
            all.push_back({Numbers::How::gpu, "latency and bandwidth of DRAM"});
        if (counted_from)
            all.push_back({Numbers::How::counted, "issued and resident warps", counted_from});
        if (sampled_from)
            all.push_back({Numbers::How::counted, "what warps wait for", sampled_from});
        return all;
    }
    ViewCommands commands() override;
    void draw(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<OccupancyOptions>(text); }

private:
    void take_stage(const ViewScene& scene);
    void draw_blocks(ViewFrame& frame);
    float draw_controls(ViewFrame& frame, const draw::Box& box);
    bool over_time_shown(const ViewScene& scene) const;
    void move(uint32_t& value, int64_t step, int64_t least, int64_t most);
    void choose_sm(int step);
    void as_recorded() { changed = false; }
    OccupancyCase case_of(const StageColumn& stage, const Board& board, bool first) const;
    struct Need { // an axis of a chart
        const char* title;
        uint32_t KernelNeeds::*member;
        uint32_t least, most, step, tick;
    };
    StepChart chart_of(ViewFrame& frame, const Need& axis, const std::vector<OccupancyCase>& cases) const;
    struct Cases {
        const std::vector<OccupancyCase>& cases;
        const std::vector<WaitingCase>& waiting;
    };
    void draw_steps(ViewFrame& frame, const Need& axis, const std::vector<OccupancyCase>& cases, const draw::Box& box);
    void draw_charts(ViewFrame& frame, const Cases& all, const draw::Box& box, bool beside);
    bool measured_elsewhere(const Board& board) const; // on another GPU than the one that was chosen
    void draw_sm(const SmPicture& picture, const WaitingCase& waiting, double most_bytes, const draw::Box& box) const;

    std::shared_ptr<const recording::Recording> recording; // that the values were taken from
    KernelNeeds needs;
    bool changed = false, focus_field = false;
    SmLimits limits;
    std::optional<uint32_t> pointed_before; // the resident block that the mouse was over in the last frame
    bool shows_measured = false;            // in the last frame
    std::optional<Provenance> counted_from, sampled_from; // likewise
    OverTime over_time;
    OccupancyOptions chosen;
    std::optional<Provenance> watched_from; // where that was in the last frame
};

void OccupancyView::take_stage(const ViewScene& scene)
{
    if (recording == scene.columns.front().recording)
        return;
    recording = scene.columns.front().recording;
    changed = false;
    needs = case_of_stage(scene.columns.front(), scene.board).needs;
    if (const auto known = limits_of(recording->device.compute_capability))
        limits = *known;
}

ViewCommands OccupancyView::commands()
{
    ViewCommands all;
    const auto add = [&](const char* key, const char* words, auto act) { // not while another picture is shown
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
                       if (why_not_over_time(scene.board, scene.columns.front().slug).empty())
                           chosen.time = !chosen.time;
                   }});
    const ViewCommands of_time = over_time.commands([this] { return watched_from.has_value(); });
    all.insert(all.end(), of_time.begin(), of_time.end());
    return all;
}

bool OccupancyView::over_time_shown(const ViewScene& scene) const
{
    return chosen.time && why_not_over_time(scene.board, scene.columns.front().slug).empty();
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

// In the upper part of the charts' box, which they move; returns the height taken.
float OccupancyView::draw_controls(ViewFrame& frame, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImGui::SetCursorScreenPos(box.min);
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
    chosen.time = OverTime::draw_switch(frame, false);
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
    return ImGui::GetItemRectSize().y + theme.px(4);
}

OccupancyCase OccupancyView::case_of(const StageColumn& stage, const Board& board, bool first) const
{
    OccupancyCase one = case_of_stage(stage, board);
    if (first && changed)
        one.needs = needs;
    one.typed = first && changed;
    fill_sm(limits, one);
    return one;
}

StepChart OccupancyView::chart_of(ViewFrame& frame, const Need& axis, const std::vector<OccupancyCase>& cases) const
{
    const bool kib = axis.member == &KernelNeeds::shared_bytes;
    StepChart chart{.title = axis.title,
                    .least = axis.least,
                    .most = axis.most,
                    .step = axis.step,
                    .tick = axis.tick,
                    .scale = kib ? 1024u : 1u,
                    .most_warps = limits.warps,
                    .curves = {},
                    .theme = frame.theme,
                    .marks = frame.marks};
    const bool registers = axis.member == &KernelNeeds::registers;
    for (const OccupancyCase& one : cases) {
        if (one.unknown() && !registers)
            continue; // what fits with other shared memory or threads nobody knows
        chart.curves.push_back({frame.theme.accent(one.stage->number),
                                [this, member = axis.member, &one](uint32_t value) {
                                    KernelNeeds moved = one.needs;
                                    moved.*member = value;
                                    return residency(limits, moved).warps;
                                },
                                one.unknown() ? std::nullopt : std::optional(one.needs.*axis.member)});
    }
    return chart;
}

bool OccupancyView::measured_elsewhere(const Board& board) const
{
    return board.gpu.properties && board.gpu.properties->compute_capability != limits.compute_capability;
}

// A value that is pointed at while the button is down is taken.
void OccupancyView::draw_steps(ViewFrame& frame, const Need& axis, const std::vector<OccupancyCase>& cases,
                               const draw::Box& box)
{
    const auto hit = draw_step_chart(chart_of(frame, axis, cases), box);
    if (!hit)
        return;
    KernelNeeds moved = cases.front().needs;
    moved.*axis.member = hit->value;
    if (hit->chosen && needs.*axis.member != hit->value) {
        needs.*axis.member = hit->value;
        changed = true;
    }
    if (moved.registers == 0)
        return;
    const Residency there = residency(limits, moved);
    frame.point_out({"occupancy.chart_hint",
                     {{"value", axis.member == &KernelNeeds::shared_bytes ? hit->value / 1024 : hit->value},
                      {"unit", axis.title},
                      {"warps", there.warps},
                      {"most", limits.warps},
                      {"refused", there.refusal.has_value()}}});
}

void OccupancyView::draw_charts(ViewFrame& frame, const Cases& all, const draw::Box& box, bool beside)
{
    const Need registers{"registers per thread", &KernelNeeds::registers, 1, most_registers, 1, 64};
    const Need shared{
        "shared KiB per block", &KernelNeeds::shared_bytes, 0, limits.most_shared_per_block(), 1024, 64 * 1024};
    const Need threads{"threads per block", &KernelNeeds::threads, 32, most_threads, 32, 256};
    const std::vector<WarpsAndSpeed> points = warps_and_speeds(frame.board);
    const auto steps = [&](const Need& axis) {
        return [&, axis](const draw::Box& place) { draw_steps(frame, axis, all.cases, place); };
    };
    std::vector<std::function<void(const draw::Box&)>> charts; // as many, from the first on, as there is room for
    const bool here = !measured_elsewhere(frame.board);
    if (here && has_waits(frame.board, all.cases))
        charts.emplace_back([&](const draw::Box& place) {
            draw_panel(waits_panel(frame.board, all.cases, frame.theme, place), frame);
        });
    charts.emplace_back(steps(registers));
    if (here && has_streaming(frame.board))
        charts.emplace_back([&](const draw::Box& place) { draw_streaming_chart(frame, all.waiting, place); });
    if (here && !points.empty())
        charts.emplace_back([&](const draw::Box& place) {
            if (auto stage = draw_speed_chart(frame, points, place))
                frame.requests.stage = std::move(stage);
        });
    charts.emplace_back(steps(shared));
    charts.emplace_back(steps(threads));
    const float gap = frame.theme.px(10);
    const float room = beside ? box.width() / frame.theme.px(230) : box.height() / frame.theme.px(110);
    const float count = std::clamp(std::floor(room), 1.0f, static_cast<float>(charts.size()));
    const float width = beside ? (box.width() - gap * (count - 1)) / count : box.width();
    const float height = beside ? box.height() : (box.height() - gap * (count - 1)) / count;
    for (int i = 0; i < static_cast<int>(count); ++i) {
        const float x = box.min.x + (beside ? (width + gap) * static_cast<float>(i) : 0);
        const float y = box.min.y + (beside ? 0 : (height + gap) * static_cast<float>(i));
        charts[static_cast<std::size_t>(i)]({{x, y}, {x + width, y + height}});
    }
}

// The SM above its bars, and below both what its warps have under way.
void OccupancyView::draw_sm(const SmPicture& picture, const WaitingCase& waiting, double most_bytes,
                            const draw::Box& box) const
{
    const Theme& theme = picture.frame.theme;
    Prose callout(theme);
    callout.write(next_block_message(limits, picture.one));
    const float gap = theme.px(6), below = most_bytes > 0 ? waiting_height(theme) + gap : 0;
    const bool called = callout.width() <= box.width();
    const float line = called ? draw::row_height(theme, 8) : 0;
    const float room = box.height() - below - line - gap;
    const float bars = std::min(room * 0.52f, theme.px(260));
    const draw::Box slots{box.min, {box.max.x, box.min.y + room - bars}};
    if (picture.one.now.refusal) {
        callout.draw({box.min.x, box.min.y + theme.px(20)}, box.width());
        return;
    }
    draw_warp_slots(picture, slots);
    float y = slots.max.y + gap;
    draw_limit_bars(picture, {{box.min.x, y}, {box.max.x, y + bars}});
    y += bars;
    if (called)
        callout.draw({box.min.x, y}, box.width());
    y += line;
    if (most_bytes > 0)
        draw_waiting(theme, waiting, most_bytes, {{box.min.x, y}, box.max});
    if (draw::pointed_at({{box.min.x, y}, box.max})) {
        Messages said = waiting_messages(waiting);
        said.resize(std::min<std::size_t>(said.size(), 3)); // why bytes must be under way, how many, how many are
        picture.frame.point_out({"occupancy.pointed", {{"what", Value::Nested(said.begin(), said.end())}}});
    }
}

void OccupancyView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("occupancy view", {0, 0}, false);
    take_stage(frame);
    watched_from.reset();
    if (over_time_shown(frame)) {
        watched_from = frame.board.warps->from;
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        chosen.time = !OverTime::draw_switch(frame, true);
        ImGui::SetCursorScreenPos(corner);
        over_time.draw(frame);
    } else {
        draw_blocks(frame);
        frame.explain(why_not_over_time(frame.board, frame.columns.front().slug)); // where its button is grey
    }
    ImGui::EndChild();
}

void OccupancyView::draw_blocks(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    std::vector<OccupancyCase> cases{case_of(frame.columns.front(), frame.board, true)};
    if (!changed)
        needs = cases.front().needs; // what a GPU said of it may be read after the recording
    for (std::size_t i = 1; i < frame.columns.size(); ++i)
        if (frame.columns[i].recording)
            cases.push_back(case_of(frame.columns[i], frame.board, false));
    shows_measured = dram_needs(frame.board).has_value() && !measured_elsewhere(frame.board);
    const bool here = !measured_elsewhere(frame.board);
    const HardwareFigures* const issued = here ? issue_figures(frame.board, frame.columns.front()) : nullptr;
    counted_from = issued ? std::optional(issued->from) : std::nullopt;
    const CountedRun* const sampled = here ? sampled_run(frame.board, frame.columns.front()) : nullptr;
    sampled_from = sampled ? std::optional(sampled->from) : std::nullopt;
    std::vector<WaitingCase> waiting;
    double most_bytes = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& loads = cases[i].stage->memo<most_loads_together>();
        waiting.push_back({cases[i], loads, frame.board, i == 0 ? frame.marks : nullptr,
                           measured_elsewhere(frame.board) ? limits.compute_capability : 0});
        const UnderWay bytes = bytes_under_way(waiting[i]);
        if (bytes.needed > 0 || waiting[i].elsewhere != 0) // it takes room in either case
            most_bytes = std::max({most_bytes, bytes.needed, bytes.has.value_or(0)});
        frame.explain(residency_messages(limits, cases[i]));
        frame.explain(waiting_messages(waiting[i]));
        if (Messages said = stage_wait_messages(frame.board, *cases[i].stage);
            !said.empty() && waiting[i].elsewhere == 0)
            frame.explain(std::move(said));
    }
    frame.explain({{"occupancy.charts"}});
    // The charts stand beside one SM, below more of them.
    const bool two = cases.size() > 1;
    std::vector<draw::Box> boxes = draw::columns(theme, cases.size());
    draw::Box charts = boxes[0];
    const float gap = theme.px(4);
    if (two) {
        charts.max.x = boxes.back().max.x;
        const float low = charts.height() < theme.px(400) ? 0 : std::max(charts.height() * 0.27f, theme.px(140));
        charts.min.y = charts.max.y - std::max(std::min(low, theme.px(290)), ImGui::GetFrameHeight());
        for (draw::Box& box : boxes)
            box.max.y = charts.min.y - gap;
    } else {
        charts.min.x = boxes[0].min.x + std::floor(boxes[0].width() * 0.64f) + gap;
        boxes[0].max.x = charts.min.x - gap;
    }
    const auto lit = std::exchange(pointed_before, {});
    for (std::size_t i = 0; i < cases.size(); ++i) {
        draw::Box box = boxes[i];
        const float wide = two ? box.max.x : charts.max.x;
        box.min.y +=
            draw::stage_headline(frame, *cases[i].stage, headline(limits, cases[i]), {box.min, {wide, box.max.y}});
        draw_sm({frame, limits, cases[i], i == 0, pointed_before, lit}, waiting[i], most_bytes, box);
        mark_picture(frame.marks, "sm:" + cases[i].stage->slug, box);
        if (!two)
            charts.min.y = box.min.y;
    }
    mark_picture(frame.marks, "steps", charts);
    charts.min.y += draw_controls(frame, charts);
    if (charts.height() > theme.px(60))
        draw_charts(frame, {cases, waiting}, charts, two);
}

} // namespace

std::unique_ptr<View> make_occupancy_view()
{
    return std::make_unique<OccupancyView>();
}

} // namespace viz
