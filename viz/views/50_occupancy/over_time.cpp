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

constexpr double least_span = 40; // cycles, in all of the width

// What happens in one row of the picture: a slot, in which one warp follows another.
struct TimedInterval {
    const recording::TimedWarp* warp = nullptr;
    WarpInterval interval;
};
struct SmPicture {
    SmOverTime of;
    std::array<std::vector<std::vector<TimedInterval>>, recording::schedulers_per_sm> slots; // by scheduler
};
struct StageOverTime {
    std::optional<SmPicture> few, many; // no few: it was watched with one number of warps only; no many: not at all
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

// `narrow`: there are stages beside it; the number of the few warps then stands above their picture only.
Message headline_of(const StageOverTime& of, bool narrow)
{
    const Value many = Value(share(of.many->of.stalled_share())).as(Meaning::good);
    if (!of.few)
        return {"occupancy.time_headline_one", {{"warps", of.many->of.most_at_once}, {"share", many}}};
    const Value few = Value(share(of.few->of.stalled_share())).as(Meaning::conflict);
    if (narrow)
        return {"occupancy.time_headline_narrow",
                {{"few_share", few}, {"many", of.many->of.most_at_once}, {"many_share", many}}};
    return {"occupancy.time_headline",
            {{"few", of.few->of.most_at_once},
             {"few_share", few},
             {"many", of.many->of.most_at_once},
             {"many_share", many}}};
}

Value::List parameters_of(const recording::WarpTimes& times)
{
    Value::List parameters;
    for (const recording::Parameter& one : times.parameters)
        parameters.push_back(fmt::format("{} {}", one.name, one.value));
    return parameters;
}

// Of one launch: what was watched, and what watching costs.
Messages launch_messages(const SmOverTime& picture)
{
    const recording::WarpTimes& times = *picture.times;
    Messages messages{{"occupancy.time_launch",
                       {{"size", size_words(times.problem)},
                        {"sm", index(times.sm)},
                        {"warps", picture.most_at_once},
                        {"blocks", picture.blocks},
                        {"cycles", picture.span}}}};
    if (!times.parameters.empty())
        messages.push_back({"occupancy.time_parameters", {{"parameters", parameters_of(times)}}});
    if (times.extra_shared > 0)
        messages.push_back({"occupancy.time_extra_shared", {{"bytes", bytes(times.extra_shared)}}});
    messages.push_back({"occupancy.time_probe",
                        {{"times", with_decimals(times.slowdown(), 2)},
                         {"registers", times.plain.registers_per_thread},
                         {"probed", times.probed.registers_per_thread}}});
    if (times.plain.blocks_per_sm != times.probed.blocks_per_sm)
        messages.push_back({"occupancy.time_fewer_fit",
                            {{"blocks", times.plain.blocks_per_sm}, {"probed", times.probed.blocks_per_sm}}});
    return messages;
}

// The launches that are watched and the one that other views show need not be of the same build.
Messages other_build(const ViewFrame& frame, const StageColumn& stage, const recording::WarpTimes& times)
{
    const auto shown = stage.recording == nullptr ? std::nullopt : registers_per_thread(*stage.recording, &frame.board);
    if (!shown || *shown == times.plain.registers_per_thread || stage.recording->parameters != times.parameters)
        return {};
    return {{"occupancy.time_other_build", {{"stage", stage.slug}, {"registers", *shown}}}};
}

void explain(Figure& figure, const ViewFrame& frame, const StageColumn& stage, const StageOverTime& of)
{
    figure.said.push_back(rich(Messages{{"occupancy.time_how"}, {"occupancy.time_rules"}}));
    for (const auto* picture : {&of.few, &of.many})
        if (*picture) {
            figure.said.push_back(rich(launch_messages((*picture)->of)));
            figure.said.push_back(rich(other_build(frame, stage, *(*picture)->of.times)));
        }
    std::erase(figure.said, Rich{});
}

Message does(WarpDoing doing)
{
    switch (doing) {
    case WarpDoing::running: return {"occupancy.does_run"};
    case WarpDoing::memory: return {"occupancy.does_wait_for_memory"};
    case WarpDoing::barrier: return {"occupancy.does_wait_at_barrier"};
    case WarpDoing::probe: break;
    }
    return {"occupancy.does_wait_for_probe"};
}

Rich interval_words(const TimedInterval& one)
{
    const recording::TimedWarp& warp = *one.warp;
    Messages step; // it lies after
    if (!warp.steps.empty() && one.interval.from >= warp.steps[one.interval.step].at) {
        const recording::TimedStep& before = warp.steps[one.interval.step];
        step.push_back({"occupancy.time_step", {{"op", recording::name(before.op)}, {"line", index(before.line)}}});
    }
    return rich({"occupancy.time_warp",
                 {{"warp", index(warp.warp)},
                  {"block", index(warp.block)},
                  {"does", does(one.interval.doing)},
                  {"cycles", one.interval.until - one.interval.from},
                  {"step", step}}});
}

LaneLayer::Interval drawn(const WarpInterval& one, Colour colour)
{
    return {static_cast<double>(one.from), static_cast<double>(one.until), colour};
}

// Amber: none of the scheduler's warps can go on.
LaneLayer::Row stall_row(const SmPicture& picture, uint32_t scheduler, const std::string& id, const Theme& theme)
{
    const std::vector<WarpInterval>& stalls = picture.of.schedulers[scheduler].stalls;
    return {.name = "",
            .count = stalls.size(),
            .at = [&stalls, colour = theme.warning](std::size_t i) { return drawn(stalls[i], colour); },
            .tip =
                [&stalls, scheduler](std::size_t i) {
                    return rich({"occupancy.time_all_wait",
                                 {{"scheduler", index(scheduler)}, {"cycles", stalls[i].until - stalls[i].from}}});
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

// Four schedulers, a row for each slot of a warp, coloured by what the warp does; above the rows of a scheduler when all of its
// warps wait. `name`: in tests and files; empty: it is not named there.
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

// The recording only says for how long the answer is kept.
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

Rich why_not_over_time(const Board& board, const std::string& slug)
{
    if (board.warps == nullptr)
        return rich({"occupancy.time_not_watched", {{"stage", slug}}});
    if (few_and_many(*board.warps, slug))
        return {};
    const auto no_file = [](const recording::Reason& why) { return why.missing == recording::Missing::not_shipped; };
    if (!board.warps->rows.empty() || std::ranges::all_of(board.warps->missing, no_file))
        return rich({"occupancy.time_not_watched", {{"stage", slug}}});
    return in_sentences(board.warps->missing);
}

Colour doing_colour(const Theme& theme, WarpDoing doing)
{
    switch (doing) {
    case WarpDoing::running: return theme.compute;
    case WarpDoing::memory: return theme.load;
    case WarpDoing::barrier: return mix(theme.panel, theme.ink, 0.65f); // an empty slot is a quiet grey
    case WarpDoing::probe: break;
    }
    return theme.background; // no time of the kernel's
}

ViewCommands OverTime::commands(const std::function<bool()>& shown)
{
    return TimeWindow::commands([this, shown] { return shown() ? &time : nullptr; }, [this] { return limits(); });
}

TimeWindow::Limits OverTime::limits() const
{
    return {.whole = whole, .least = least_span};
}

// Two launches on one axis do unequal work, so how often a block ends is said; and with which parameters, where they are not those of
// the stage that is shown. The longest that has room.
namespace {

std::string panel_title(const SmOverTime& picture, const StageColumn& stage, const Theme& theme, float room)
{
    const recording::WarpTimes& times = *picture.times;
    const uint64_t each = picture.blocks == 0 ? 0 : (picture.span + picture.blocks / 2) / picture.blocks;
    const bool other = stage.recording != nullptr && stage.recording->parameters != times.parameters;
    const auto title = [&](bool with_size, bool with_cycles) {
        Messages more;
        if (other)
            more.push_back({"occupancy.time_panel_parameters", {{"parameters", parameters_of(times)}}});
        if (with_size)
            more.push_back({"occupancy.time_panel_size", {{"size", size_words(times.problem)}}});
        Messages span;
        if (with_cycles)
            span.push_back({"occupancy.time_panel_cycles", {{"cycles", picture.span}}});
        return plain(Message{"occupancy.time_panel",
                             {{"warps", picture.most_at_once},
                              {"blocks", picture.blocks},
                              {"each", each},
                              {"span", span},
                              {"of", more}}});
    };
    return draw::first_fitting(theme.text, room,
                               std::array{title(true, true), title(true, false), title(false, false)});
}

Panel panel_of(const ViewFrame& frame, const StageColumn& stage, const SmPicture& picture, const TimeWindow& time,
               const char* name, const Box& box)
{
    const std::string title = panel_title(picture.of, stage, frame.theme, box.width());
    LaneLayer lanes = lanes_of(picture, time, stage.number == 0 ? name : "", frame.theme);
    lanes.with_axis = std::string_view(name) == "many"; // below both
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
        return column.memo<stage_over_time>(frame.board.warps, column.slug);
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
    const auto legend = [&](Colour colour, const char* id) { return LegendEntry{colour, plain({id})}; };
    const std::vector<Box> parts = rows(box, {pixels(draw::row_height(theme, 4)), share_of_rest()}, theme.px(2));
    figure.panels.push_back({.id = "legend",
                             .box = parts[0],
                             .legend = {legend(doing_colour(theme, WarpDoing::running), "occupancy.legend_running"),
                                        legend(doing_colour(theme, WarpDoing::memory), "occupancy.legend_memory"),
                                        legend(doing_colour(theme, WarpDoing::barrier), "occupancy.legend_barrier"),
                                        legend(draw::empty_colour(theme), "occupancy.legend_no_warp"),
                                        legend(theme.warning, "occupancy.legend_stalled")},
                             .is_picture = false});
    const std::vector<Box> places = add_headings(figure, frame, parts[1], [&](const StageColumn& stage) {
        const StageOverTime& of = over_time(stage);
        return rich(of.many ? headline_of(of, frame.comparing()) : Message{"occupancy.time_nothing"});
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
