#include "viz/views/50_occupancy/over_time.h"

#include "viz/analysis/occupancy.h"
#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/draw/plot.h"
#include "viz/draw/prose.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viz {

namespace {

constexpr double least_span = 40; // cycles, in all of the width

// `narrow`: there are stages beside it; the number of the few warps then stands above their picture only.
Message headline_of(const StageOverTime& of, bool narrow)
{
    const Value many = Value(share(of.many->stalled_share())).as(Meaning::good);
    if (!of.few)
        return {"occupancy.time_headline_one", {{"warps", of.many->most_at_once}, {"share", many}}};
    const Value few = Value(share(of.few->stalled_share())).as(Meaning::conflict);
    if (narrow)
        return {"occupancy.time_headline_narrow",
                {{"few_share", few}, {"many", of.many->most_at_once}, {"many_share", many}}};
    return {"occupancy.time_headline",
            {{"few", of.few->most_at_once}, {"few_share", few}, {"many", of.many->most_at_once}, {"many_share", many}}};
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

void explain(const ViewFrame& frame, const StageColumn& stage, const StageOverTime& of)
{
    frame.explain({{"occupancy.time_how"}, {"occupancy.time_rules"}});
    for (const auto* picture : {&of.few, &of.many})
        if (*picture) {
            frame.explain(launch_messages(**picture));
            frame.explain(other_build(frame, stage, *(*picture)->times));
        }
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

Message hit_message(const WarpLanesHit& hit)
{
    if (hit.warp == nullptr) {
        if (hit.interval == nullptr)
            return {"occupancy.time_some_go_on", {{"scheduler", index(hit.scheduler)}}};
        return {"occupancy.time_all_wait",
                {{"scheduler", index(hit.scheduler)}, {"cycles", hit.interval->until - hit.interval->from}}};
    }
    const recording::TimedWarp& warp = *hit.warp;
    Messages step; // it lies after
    if (!warp.steps.empty() && hit.interval->from >= warp.steps[hit.interval->step].at) {
        const recording::TimedStep& one = warp.steps[hit.interval->step];
        step.push_back({"occupancy.time_step", {{"op", recording::name(one.op)}, {"line", index(one.line)}}});
    }
    return {"occupancy.time_warp",
            {{"warp", index(warp.warp)},
             {"block", index(warp.block)},
             {"does", does(hit.interval->doing)},
             {"cycles", hit.interval->until - hit.interval->from},
             {"step", step}}};
}

void draw_legend(ViewFrame& frame, ImVec2 right_top)
{
    const Theme& theme = frame.theme;
    Prose legend(theme);
    legend.legend({{doing_colour(theme, WarpDoing::running), {"occupancy.legend_running"}},
                   {doing_colour(theme, WarpDoing::memory), {"occupancy.legend_memory"}},
                   {doing_colour(theme, WarpDoing::barrier), {"occupancy.legend_barrier"}},
                   {draw::empty_colour(theme), {"occupancy.legend_no_warp"}},
                   {theme.warning, {"occupancy.legend_stalled"}}});
    const float width = legend.width();
    legend.draw({right_top.x - width, right_top.y}, width + 1);
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
    result.many = sm_over_time(*found->many, least);
    if (found->few != nullptr)
        result.few = sm_over_time(*found->few, least);
    return result;
}

} // namespace

Messages why_not_over_time(const Board& board, const std::string& slug)
{
    if (board.warps == nullptr)
        return {{"occupancy.time_not_watched", {{"stage", slug}}}};
    if (few_and_many(*board.warps, slug))
        return {};
    const auto no_file = [](const recording::Reason& why) { return why.missing == recording::Missing::not_shipped; };
    if (!board.warps->rows.empty() || std::ranges::all_of(board.warps->missing, no_file))
        return {{"occupancy.time_not_watched", {{"stage", slug}}}};
    return in_sentences(board.warps->missing);
}

bool OverTime::draw_switch(ViewFrame& frame, bool shown)
{
    const std::string refusal = plain(why_not_over_time(frame.board, frame.columns.front().slug));
    const bool pressed = draw::choice(frame.theme, {"over time", shown, refusal}, frame.hint);
    mark_item(frame.marks, refusal.empty() ? "over time" : "no over time");
    return pressed;
}

ViewCommands OverTime::commands(const std::function<bool()>& shown)
{
    return TimeWindow::commands([this, shown] { return shown() ? &time : nullptr; }, [this] { return limits(); });
}

TimeWindow::Limits OverTime::limits() const
{
    return {.whole = whole, .least = least_span};
}

void OverTime::use_mouse(const draw::Box& box)
{
    time.use_wheel(box.min.x, box.max.x, limits());
    const float by = ImGui::GetIO().MouseDelta.x;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left) && by != 0)
        time.move(-by / std::max(1.0f, box.width()) * time.span(), limits());
}

// Two launches on one axis do unequal work, so how often a block ends is said; and with which parameters, where they are not those of
// the stage that is shown. The longest that has room.
std::string OverTime::panel_title(const SmOverTime& picture, const StageColumn& stage, const Theme& theme, float room)
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

void OverTime::draw_panel(ViewFrame& frame, const StageColumn& stage, const SmOverTime& picture, const char* name,
                          const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = draw::row_height(theme, 3), left = lanes_label_room(theme);
    const std::string title = panel_title(picture, stage, theme, box.width() - left);
    draw::text(list, theme.text, {box.min.x + left, box.min.y}, theme.ink_quiet, title);
    mark(frame.marks, fmt::format("over time of {}: {}", name, title), box.min, {box.max.x, box.min.y + line});
    const draw::Box rows{{box.min.x, box.min.y + line}, box.max};
    const draw::Box lanes{{rows.min.x + left, rows.min.y}, rows.max};
    const bool hovered = draw::item(name, lanes), clicked = ImGui::IsItemClicked();
    use_mouse(lanes);
    Marks* marks = &stage == &frame.columns.front() ? frame.marks : nullptr;
    const auto hit = draw_warp_lanes({picture, time, theme, name, marks}, rows);
    if (!hit || !hovered)
        return;
    frame.point_out(hit_message(*hit));
    if (clicked && hit->warp != nullptr && !hit->warp->steps.empty())
        frame.selection.line = hit->warp->steps[hit->interval->step].line;
}

void OverTime::draw_stage(ViewFrame& frame, const StageColumn& stage, const StageOverTime& of, draw::Box box)
{
    const Theme& theme = frame.theme;
    if (!of.many) {
        box.min.y += draw::stage_headline(frame, stage, {"occupancy.time_nothing"}, box);
        return;
    }
    box.min.y += draw::stage_headline(frame, stage, headline_of(of, frame.comparing()), box);
    mark_picture(frame.marks, "warps:" + stage.slug, box);
    const float axis = draw::row_height(theme, 6, theme.mono), gap = theme.px(6);
    const draw::Box lanes{box.min, {box.max.x, box.max.y - axis}};
    const float left = lanes.min.x + lanes_label_room(theme);
    const Scale cycles({.least = time.from, .most = time.until, .logarithmic = false}, left, lanes.max.x);
    draw_ticks(ImGui::GetWindowDrawList(), theme, cycles, {lanes.min.y, lanes.max.y, lanes.min.x, lanes.max.x});
    float y = lanes.min.y;
    if (of.few) {
        const auto few = static_cast<float>(of.few->row_count()), many = static_cast<float>(of.many->row_count());
        const float part = std::clamp(few / (few + many), 0.3f, 0.5f);
        const float until = lanes.min.y + (lanes.height() - gap) * part;
        draw_panel(frame, stage, *of.few, "few", {{lanes.min.x, y}, {lanes.max.x, until}});
        y = until + gap;
    }
    draw_panel(frame, stage, *of.many, "many", {{lanes.min.x, y}, lanes.max});
}

void OverTime::draw(ViewFrame& frame)
{
    double longest = 1;
    const auto over_time = [&](const StageColumn& column) -> const StageOverTime& {
        return column.memo<stage_over_time>(frame.board.warps, column.slug);
    };
    for (const StageColumn& column : frame.columns) {
        const StageOverTime& of = over_time(column);
        for (const auto* picture : {&of.few, &of.many})
            if (*picture)
                longest = std::max(longest, static_cast<double>((*picture)->span));
        if (of.many)
            explain(frame, column, of);
    }
    if (std::exchange(whole, longest) != longest)
        time = {0, whole};
    const float below = ImGui::GetFrameHeight() + frame.theme.px(1);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_legend(frame, {corner.x + ImGui::GetContentRegionAvail().x, corner.y + frame.theme.px(3)});
    draw::in_columns(frame.theme, frame.columns.size(), below, [&](std::size_t i, const draw::Box& box) {
        draw_stage(frame, frame.columns[i], over_time(frame.columns[i]), box);
    });
}

} // namespace viz
