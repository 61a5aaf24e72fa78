#include "viz/views/50_occupancy/over_time.h"

#include "viz/analysis/occupancy.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace viz {

namespace {

constexpr double least_span = 40; // smallest visible span, in cycles

// An interval in one row of the picture. A row is a slot, in which one warp follows another.
struct TimedInterval {
    const recording::TimedWarp* warp = nullptr;
    WarpInterval interval;
};
struct SmPicture {
    SmOverTime of;
    std::array<std::vector<std::vector<TimedInterval>>, recording::schedulers_per_sm> slots; // by scheduler
};
struct StageOverTime {
    // `few` is empty if only one number of warps was watched. `many` is empty if none was.
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

// `narrow` means that there are other stages beside it; the number of the few warps is then shown only above their
// picture.
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

// Describes one launch: what was watched, and the cost of watching.
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
    said.push_back(rich("With the probe the launch takes **{}** times as long. A thread has {} registers in the build "
                        "with it, and {} in the one without it that was timed beside it.",
                        with_decimals(times.slowdown(), 2), times.probed.registers_per_thread,
                        times.plain.registers_per_thread));
    if (times.plain.blocks_per_sm != times.probed.blocks_per_sm)
        said.push_back(rich("Of the timed kernel {} fit an SM, with the probe {}.",
                            counted(times.plain.blocks_per_sm, "block"), times.probed.blocks_per_sm));
    return joined(std::move(said));
}

// Explains that the watched launches and the launch in other views may come from different builds.
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
        {rich("*Warps over time.* A probe in the kernel's source noted the clock of one SM at each step of its warps: "
              "before each access, copy, barrier and multiplication."),
         rich("What lies between two steps it does not see. The compiler moves no access across it, as it may in the "
              "kernel that is timed."),
         rich("Instructions issue in order, so a load does not wait itself: the first instruction that needs its value "
              "does."),
         rich("Which scheduler a warp is on follows from its slot, by four.")});
}

Rich rules_words()
{
    return joined(
        {rich("*Waits for memory:* what a step took beyond the least that one of its kind ever took. It counts after a "
              "load from global memory, at the first use of what was loaded, and at a wait for copies."),
         rich("*At a barrier:* until the last warp of its block has come."),
         rich("All else counts as running: also short waits for shared memory, for a pipe, or for its turn."),
         rich("Gaps are the probe's own time, in which others may stop waiting."),
         rich("*All wait:* of the warps of one scheduler.")});
}

void explain(Figure& figure, const ViewFrame& frame, const StageColumn& stage, const StageOverTime& of)
{
    figure.said.push_back(joined({method_words(), rules_words()}));
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

// Amber means that none of the scheduler's warps can proceed.
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

// Returns rows of four schedulers with a row for each warp slot, coloured by the warp's activity. Above the rows of a
// scheduler is a row that shows when all of its warps wait. `name` is for tests and files; empty means no names.
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

// The recording argument only determines how long the result is cached.
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
    // This differs from the quiet grey of an empty slot.
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

// Two launches on one axis do different amounts of work, so the title says how often a block ends, and gives the
// parameters if they differ from those of the stage shown. Returns the longest title that fits.
namespace {

std::string panel_title(const SmOverTime& picture, const StageColumn& stage, const Theme& theme, float room)
{
    const recording::WarpTimes& times = *picture.times;
    const uint64_t each = picture.blocks == 0 ? 0 : (picture.span + picture.blocks / 2) / picture.blocks;
    const bool other = stage.recording != nullptr && stage.recording->parameters != times.parameters;
    const auto title = [&](bool with_size, bool with_cycles) {
        std::string words = fmt::format("{} at once · {}, a block every {}", counted(picture.most_at_once, "warp"),
                                        counted(picture.blocks, "block"), counted(each, "cycle"));
        if (with_cycles)
            words += fmt::format(", {} in all", thousands(picture.span));
        if (other)
            words += " · " + plain(parameters_of(times));
        return with_size ? words + " · " + size_words(times.problem) : words;
    };
    return draw::first_fitting(theme.text, room,
                               std::array{title(true, true), title(true, false), title(false, false)});
}

Panel panel_of(const ViewFrame& frame, const StageColumn& stage, const SmPicture& picture, const TimeWindow& time,
               const char* name, const Box& box)
{
    const std::string title = panel_title(picture.of, stage, frame.theme, box.width());
    LaneLayer lanes = lanes_of(picture, time, stage.number == 0 ? name : "", frame.theme);
    lanes.with_axis = std::string_view(name) == "many"; // the axis is below both
    return {.id = fmt::format("warps{}:{}", lanes.with_axis ? "" : " few", stage.slug),
            .box = box,
            .title = title,
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
