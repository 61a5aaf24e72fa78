#include "viz/views/50_occupancy/facts.h"

#include "viz/analysis/occupancy.h"
#include "viz/analysis/waits.h"
#include "viz/draw/draw.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/ladder_facts.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"
#include "viz/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

bool has_streaming(const LadderFacts& ladder_facts)
{
    return ladder_facts.gpu.measured && !ladder_facts.gpu.measured->streaming.empty();
}

Panel streaming_chart(const LadderFacts& ladder_facts, std::span<const WaitingCase> cases, const Theme& theme,
                      const Box& box)
{
    CurveLayer chart{.name = "chart:streaming"};
    std::vector<LegendEntry> legend; // the curves lie on one another, so that names beside them would collide
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
                                    .radius = 3});
            legend.push_back(
                {chart.curves.back().colour, fmt::format("{}{} B", legend.empty() ? "loads of " : "", one.width)});
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
    return {.id = "streaming", .box = box, .legend = std::move(legend), .layers = {std::move(chart)}};
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

namespace {

struct Side {
    const StageColumn* stage = nullptr;
    const CountedRun* run = nullptr;
    Waits waits;
};

// Returns the states in which warps of any stage wait, the one with the largest share first.
std::vector<std::string> states_of(const std::vector<Side>& sides)
{
    std::vector<std::string> states;
    for (const Side& side : sides)
        for (const WaitCount& count : side.waits.waits)
            if (std::ranges::find(states, count.state) == states.end())
                states.push_back(count.state);
    const auto largest = [&](const std::string& state) {
        double share = 0;
        for (const Side& side : sides)
            share = std::max(share, side.waits.share_of(state));
        return share;
    };
    std::ranges::stable_sort(states, std::ranges::greater{}, largest);
    return states;
}

// Returns the lines of the first stage, because its source is visible.
std::vector<LineWait> lines_of(const std::vector<Side>& sides, const std::string& state)
{
    return sides[0].stage->number == 0 ? lines_waiting(*sides[0].run->run, state) : std::vector<LineWait>();
}

Rich tip_of(const std::vector<Side>& sides, const std::string& state)
{
    std::vector<Rich> said{rich("*Waits {}.* NVIDIA's tools call it {}.", state_words(state), state_name(state))};
    for (const Side& side : sides)
        said.push_back(rich("{} **{}**", side.stage->slug, share(side.waits.share_of(state))));
    constexpr std::size_t most_named = 3;
    std::vector<LineWait> lines = lines_of(sides, state);
    lines.resize(std::min(lines.size(), most_named));
    for (const LineWait& one : lines)
        said.push_back(rich("line {} **{}**", index(one.line), share(one.share)));
    return in_lines(std::move(said));
}

// Selects the next line after the selected one.
void select_next(Selection& selection, const std::vector<LineWait>& lines)
{
    const auto now = std::ranges::find(lines, selection.line.value_or(0), &LineWait::line);
    selection.line = now == lines.end() || now + 1 == lines.end() ? lines.front().line : (now + 1)->line;
}

} // namespace

const CountedRun* sampled_run(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    const CountedRun* const run = stage.recording != nullptr ? ladder_facts.run_of(*stage.recording) : nullptr;
    return run != nullptr && run->run->samples ? run : nullptr;
}

bool has_waits(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases)
{
    return std::ranges::any_of(
        cases, [&](const OccupancyCase& one) { return sampled_run(ladder_facts, *one.stage) != nullptr; });
}

Panel waits_panel(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases, const Theme& theme,
                  const Box& box)
{
    std::vector<Side> sides;
    for (const OccupancyCase& one : cases)
        if (const CountedRun* run = sampled_run(ladder_facts, *one.stage))
            sides.push_back({one.stage, run, waits_of(*run->run)});
    BarLayer bars{.name = "waits"};
    for (const std::string& state : states_of(sides)) {
        BarLayer::Bar bar{.name = state_brief(state), .id = state};
        for (const Side& side : sides) {
            const double part = side.waits.share_of(state);
            bar.parts.push_back({side.stage->slug, part, percent(part), theme.accent(side.stage->number)});
        }
        bar.tip = [sides, state] { return tip_of(sides, state); };
        if (!lines_of(sides, state).empty())
            bar.click = [lines = lines_of(sides, state)](const ViewScene& scene) {
                select_next(scene.selection, lines);
            };
        bars.bars.push_back(std::move(bar));
    }
    return {.id = "waits",
            .box = box,
            .title = "what warps wait for",
            .origin = NumberOrigin::counter,
            .layers = {std::move(bars)}};
}

Rich stage_wait_words(const LadderFacts& ladder_facts, const StageColumn& stage)
{
    const CountedRun* const run = sampled_run(ladder_facts, stage);
    if (run == nullptr)
        return {};
    return joined({rich("*What warps of {} wait for at {}.*", stage.slug, size_words(run->problem)),
                   reason_words(waits_of(*run->run)), sample_words(*run->run->samples)});
}

namespace {

constexpr double least_span = 40; // shortest visible span, in cycles

// An interval in a row of the picture, which shows a slot with one warp after another.
struct TimedInterval {
    const recording::TimedWarp* warp = nullptr;
    WarpInterval interval;
};
struct SmPicture {
    SmOverTime of;
    std::array<std::vector<std::vector<TimedInterval>>, recording::schedulers_per_sm> slots; // by scheduler
};
struct StageOverTime {
    // `few` and `many`: with few and with many resident warps. `few` is empty if only one number was watched, `many` if
    // none was.
    std::optional<SmPicture> few, many;
};

SmPicture picture_of(const recording::WarpTimes& times, const LeastOfOps& least)
{
    SmPicture picture{sm_over_time(times, least), {}};
    for (std::size_t i = 0; i < picture.slots.size(); ++i)
        for (const SlotRow& row : picture.of.rows[i]) {
            std::vector<TimedInterval>& slot = picture.slots[i].emplace_back();
            for (const std::size_t number : row.lanes)
                for (const WarpInterval& one : picture.of.lanes[number].intervals)
                    slot.push_back({&times.warps[picture.of.lanes[number].warp], one});
        }
    return picture;
}

// `narrow`: other stages are beside it. The number of the few warps is then only above their picture.
Rich headline_of(const StageOverTime& of, bool narrow)
{
    const Value many = Value(share(of.many->of.stalled_share())).as(Meaning::good);
    if (!of.few)
        return rich("**{}** warps: all wait in **{}** of cycles", of.many->of.most_at_once, many);
    const Value few = Value(share(of.few->of.stalled_share())).as(Meaning::conflict);
    if (narrow)
        return rich("All wait **{}**; **{}** warps: **{}**", few, of.many->of.most_at_once, many);
    return rich("**{}** warps: all wait in **{}** of cycles; **{}** warps: **{}**", of.few->of.most_at_once, few,
                of.many->of.most_at_once, many);
}

// Returns "BM 128, BN 128 and BK 8".
Rich parameters_of(const recording::WarpTimes& times)
{
    std::vector<Rich> parameters;
    for (const recording::Parameter& one : times.parameters)
        parameters.push_back(rich("{}", fmt::format("{} {}", one.name, one.value)));
    return listed(std::move(parameters));
}

// Describes a launch: what was watched, and how much longer it took.
Rich launch_words(const SmOverTime& picture)
{
    const recording::WarpTimes& times = *picture.times;
    std::vector<Rich> said{rich("{}, SM {}: at most **{}** at once, of **{}**, in **{}**.", size_words(times.problem),
                                index(times.sm), counted(picture.most_at_once, "warp"),
                                counted(picture.blocks, "block"), counted(picture.span, "cycle"))};
    if (!times.parameters.empty())
        said.push_back(rich("Parameters: {}.", parameters_of(times)));
    if (times.extra_shared > 0)
        said.push_back(rich("Each block asked for {} more of shared memory, so that fewer are resident; the L1 cache "
                            "has that much less.",
                            bytes(times.extra_shared)));
    said.push_back(
        rich("With the probe the launch takes **{}** times as long. A thread has {} registers with it, and {} "
             "without.",
             with_decimals(times.slowdown(), 2), times.probed.registers_per_thread, times.plain.registers_per_thread));
    if (times.plain.blocks_per_sm != times.probed.blocks_per_sm)
        said.push_back(rich("Of the timed kernel {} fit an SM, with the probe {}.",
                            counted(times.plain.blocks_per_sm, "block"), times.probed.blocks_per_sm));
    return joined(std::move(said));
}

// Explains that the watched launches may be of another build than the launch in other views.
Rich other_build(const ViewFrame& frame, const StageColumn& stage, const recording::WarpTimes& times)
{
    const auto shown =
        stage.recording == nullptr ? std::nullopt : registers_per_thread(*stage.recording, &frame.ladder_facts);
    if (!shown || *shown == times.plain.registers_per_thread || stage.recording->parameters != times.parameters)
        return {};
    return rich(
        "*Another build than the one that other views show:* there a thread of {} has **{}**. The source or the "
        "compiler has changed since the warps were watched.",
        stage.slug, counted(*shown, "register"));
}

Rich method_words()
{
    return joined(
        {rich("*Warps over time.* A probe in the kernel's source noted the clock of one SM at each step of its warps."),
         rich("The compiler moves no access across a step, as it may in the kernel that is timed."),
         rich("Instructions issue in order, so the first instruction that needs a loaded value waits, not the load."),
         rich("*Waits for memory:* what a step took beyond the least that one of its kind ever took."),
         rich("All else counts as running: also short waits for shared memory, for a pipe, or for its turn."),
         rich("Gaps are the probe's own time, in which others may stop waiting.")});
}

void explain(Figure& figure, const ViewFrame& frame, const StageColumn& stage, const StageOverTime& of)
{
    figure.said.push_back(method_words());
    for (const auto* picture : {&of.few, &of.many})
        if (*picture) {
            figure.said.push_back(launch_words((*picture)->of));
            figure.said.push_back(other_build(frame, stage, *(*picture)->of.times));
        }
    std::erase(figure.said, Rich{});
}

const char* does(WarpDoing doing)
{
    switch (doing) {
    case WarpDoing::running: return "runs";
    case WarpDoing::memory: return "waits for memory";
    case WarpDoing::barrier: return "waits at a barrier";
    case WarpDoing::probe: break;
    }
    return "is held by the probe";
}

Rich interval_words(const TimedInterval& one)
{
    const recording::TimedWarp& warp = *one.warp;
    Rich step; // the step before the interval
    if (!warp.steps.empty() && one.interval.from >= warp.steps[one.interval.step].at) {
        const recording::TimedStep& before = warp.steps[one.interval.step];
        step = rich(", from its {} in line {} on", recording::name(before.op), index(before.line));
    }
    return rich("Warp {} of block {} {}, {}{}", index(warp.warp), index(warp.block), does(one.interval.doing),
                counted(one.interval.until - one.interval.from, "cycle"), step);
}

LaneLayer::Interval drawn(const WarpInterval& one, Colour colour)
{
    return {static_cast<double>(one.from), static_cast<double>(one.until), colour};
}

// Amber where none of the scheduler's warps can proceed.
LaneLayer::Row stall_row(const SmPicture& picture, uint32_t scheduler, const std::string& id, const Theme& theme)
{
    const std::vector<WarpInterval>& stalls = picture.of.schedulers[scheduler].stalls;
    return {.name = "",
            .count = stalls.size(),
            .at = [&stalls, colour = theme.warning](std::size_t i) { return drawn(stalls[i], colour); },
            .tip =
                [&stalls, scheduler](std::size_t i) {
                    return rich("All warps of scheduler {} wait, {}: nothing hides it", index(scheduler),
                                counted(stalls[i].until - stalls[i].from, "cycle"));
                },
            .height = 0.4f,
            .gap_before = true,
            .id = id};
}

LaneLayer::Row slot_row(const std::vector<TimedInterval>& slot, std::string name, std::string id, const Theme& theme)
{
    return {.name = std::move(name),
            .count = slot.size(),
            .at = [&slot, &theme](
                      std::size_t i) { return drawn(slot[i].interval, doing_colour(theme, slot[i].interval.doing)); },
            .tip = [&slot](std::size_t i) { return interval_words(slot[i]); },
            .click =
                [&slot](const ViewScene& scene, std::size_t i) {
                    const recording::TimedWarp& warp = *slot[i].warp;
                    if (!warp.steps.empty())
                        scene.selection.line = warp.steps[slot[i].interval.step].line;
                },
            .id = std::move(id)};
}

// Returns a row for each warp slot of the four schedulers, coloured by what its warp does. Above the slots of a
// scheduler, a row shows when all of its warps wait. `name` is for tests and files; empty means no names.
LaneLayer lanes_of(const SmPicture& picture, const TimeWindow& time, const std::string& name, const Theme& theme)
{
    LaneLayer lanes{.time = {.least = time.from, .most = time.until, .logarithmic = false}};
    for (uint32_t i = 0; i < recording::schedulers_per_sm; ++i) {
        lanes.rows.push_back(stall_row(picture, i, name.empty() ? "" : fmt::format("scheduler:{}:{}", name, i), theme));
        for (std::size_t row = 0; row < picture.slots[i].size(); ++row)
            lanes.rows.push_back(
                slot_row(picture.slots[i][row], row == picture.slots[i].size() / 2 ? std::to_string(i) : "",
                         name.empty() ? "" : fmt::format("warp:{}:{}", name, picture.of.rows[i][row].slot), theme));
    }
    return lanes;
}

// The result is cached as long as the recording, the first argument.
StageOverTime stage_over_time(const recording::Recording&, const std::shared_ptr<const WatchedStages>& watched,
                              const std::string& slug)
{
    StageOverTime result;
    const auto found = watched == nullptr ? std::nullopt : few_and_many(*watched, slug);
    if (!found)
        return result;
    std::vector<const recording::WarpTimes*> launches{found->many};
    if (found->few != nullptr)
        launches.push_back(found->few);
    const LeastOfOps least = least_of_ops(launches);
    result.many = picture_of(*found->many, least);
    if (found->few != nullptr)
        result.few = picture_of(*found->few, least);
    return result;
}

} // namespace

Rich why_not_over_time(const LadderFacts& ladder_facts, const std::string& slug)
{
    Rich not_watched = rich("The warps of {} were not watched; gemmscope warps, on a machine with an NVIDIA GPU, "
                            "watches them.",
                            slug);
    if (ladder_facts.warps == nullptr)
        return not_watched;
    if (few_and_many(*ladder_facts.warps, slug))
        return {};
    const auto no_file = [](const recording::Reason& why) { return why.missing == recording::Missing::not_shipped; };
    if (!ladder_facts.warps->rows.empty() || std::ranges::all_of(ladder_facts.warps->missing, no_file))
        return not_watched;
    return in_sentences(ladder_facts.warps->missing);
}

Colour doing_colour(const Theme& theme, WarpDoing doing)
{
    switch (doing) {
    case WarpDoing::running: return theme.compute;
    case WarpDoing::memory: return theme.load;
    // This differs from the grey of an empty slot.
    case WarpDoing::barrier: return mix(theme.panel, theme.ink, 0.65f);
    case WarpDoing::probe: break;
    }
    return theme.background; // time of the probe, not of the kernel
}

ViewCommands OverTime::commands(const std::function<bool()>& shown)
{
    return TimeWindow::commands([this, shown] { return shown() ? &time : nullptr; }, [this] { return limits(); });
}

TimeWindow::Limits OverTime::limits() const
{
    return {.whole = whole, .least = least_span};
}

namespace {

// Returns titles of the picture, the longest first. The two launches on one axis do different amounts of work. So
// titles say how often a block ends, and name the parameters unless they are those of the visible stage.
std::vector<std::string> panel_titles(const SmOverTime& picture, const StageColumn& stage)
{
    const recording::WarpTimes& times = *picture.times;
    const uint64_t each = picture.blocks == 0 ? 0 : (picture.span + picture.blocks / 2) / picture.blocks;
    const bool other = stage.recording != nullptr && stage.recording->parameters != times.parameters;
    const std::string what = fmt::format("{} at once · {}, a block every {}", counted(picture.most_at_once, "warp"),
                                         counted(picture.blocks, "block"), counted(each, "cycle")),
                      all = fmt::format(", {} in all", thousands(picture.span)),
                      parameters = other ? " · " + plain(parameters_of(times)) : "",
                      size = " · " + size_words(times.problem);
    return {what + all + parameters + size, what + parameters + size, what + parameters};
}

Panel panel_of(const ViewFrame& frame, const StageColumn& stage, const SmPicture& picture, const TimeWindow& time,
               const char* name, const Box& box)
{
    std::vector<std::string> titles = panel_titles(picture.of, stage);
    LaneLayer lanes = lanes_of(picture, time, stage.number == 0 ? name : "", frame.theme);
    lanes.with_axis = std::string_view(name) == "many"; // the axis is below both pictures
    return {.id = fmt::format("warps{}:{}", lanes.with_axis ? "" : " few", stage.slug),
            .box = box,
            .title = titles[0],
            .shorter = {titles[1], titles[2]},
            .layers = {std::move(lanes)}};
}

} // namespace

void OverTime::add_to(Figure& figure, const ViewFrame& frame, const Box& box)
{
    const Theme& theme = frame.theme;
    double longest = 1;
    const auto over_time = [&](const StageColumn& column) -> const StageOverTime& {
        return column.memo<stage_over_time>(frame.ladder_facts.warps, column.slug);
    };
    for (const StageColumn& column : frame.columns) {
        const StageOverTime& of = over_time(column);
        for (const auto* picture : {&of.few, &of.many})
            if (*picture)
                longest = std::max(longest, static_cast<double>((*picture)->of.span));
        if (of.many)
            explain(figure, frame, column, of);
    }
    if (std::exchange(whole, longest) != longest)
        time = {0, whole};
    const std::vector<Box> parts = rows(box, {pixels(draw::row_height(theme, 4)), share_of_rest()}, theme.px(2));
    figure.panels.push_back({.id = "legend",
                             .box = parts[0],
                             .legend = {{doing_colour(theme, WarpDoing::running), "runs"},
                                        {doing_colour(theme, WarpDoing::memory), "memory"},
                                        {doing_colour(theme, WarpDoing::barrier), "barrier"},
                                        {draw::empty_colour(theme), "no warp"},
                                        {theme.warning, "all wait"}},
                             .is_picture = false});
    const std::vector<Box> places = add_headings(figure, frame, parts[1], [&](const StageColumn& stage) {
        const StageOverTime& of = over_time(stage);
        return of.many ? headline_of(of, frame.comparing()) : rich("Its warps were not watched");
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
        const StageOverTime& of = over_time(frame.columns[i]);
        if (!of.many)
            continue;
        const auto few = of.few ? static_cast<float>(of.few->of.row_count()) : 0,
                   many = static_cast<float>(of.many->of.row_count());
        const float part = of.few ? std::clamp(few / (few + many), 0.3f, 0.5f) : 0;
        const std::vector<Box> pictures =
            rows(places[i], {share_of_rest(part), share_of_rest(1 - part)}, of.few ? theme.px(6) : 0);
        if (of.few)
            figure.panels.push_back(panel_of(frame, frame.columns[i], *of.few, time, "few", pictures[0]));
        figure.panels.push_back(panel_of(frame, frame.columns[i], *of.many, time, "many", pictures[1]));
        for (std::size_t last = figure.panels.size() - (of.few ? 2 : 1); last < figure.panels.size(); ++last)
            figure.panels[last].use_mouse = [this,
                                             names = draw::measure(theme.mono, "0").x + theme.px(8)](const Box& area) {
                time.use_mouse(area.min.x + names, area.max.x, limits());
            };
    }
}

} // namespace viz
