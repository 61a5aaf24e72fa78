#include "app/panels/timeline/timeline.h"

#include "app/panels/timeline/icon_button.h"
#include "app/panels/widgets.h"
#include "app/state/navigation.h"
#include "app/state/position.h"
#include "app/text/format.h"

#include "viz/draw/draw.h"
#include "viz/draw/prose.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace app {

namespace {

void draw_transport(State& state)
{
    std::size_t& step = state.at.selection.step;
    const std::size_t count = state.tracks.front().steps();
    const auto& phases = state.tracks.front().phases();
    if (icon_button(state, "start", Icon::to_start, "To the first access · Home"))
        step = 0;
    if (icon_button(state, "phase back", Icon::phase_back, "One phase back · Shift+←"))
        step = previous_phase(phases, step);
    if (icon_button(state, "back", Icon::back, "One access back · ←"))
        step = moved(step, -1, count);
    const bool playing = state.playback.playing();
    if (icon_button(state, "play", playing ? Icon::pause : Icon::play, playing ? "Pause · Space" : "Play · Space"))
        toggle_playing(state);
    if (icon_button(state, "forward", Icon::forward, "One access forward · →"))
        step = moved(step, 1, count);
    if (icon_button(state, "phase forward", Icon::phase_forward, "One phase forward · Shift+→"))
        step = next_phase(phases, step);
    if (icon_button(state, "end", Icon::to_end, "To the last access · End"))
        step = moved(step, static_cast<long>(count), count);
}

// "‹ warp 0 of 8 ›"; what was pressed: -1, 0 or 1.
int draw_stepper(State& state, const char* id, const std::string& label, std::string_view help)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushID(id);
    int pressed = 0;
    pressed -= icon_button(state, "less", Icon::back, help) ? 1 : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(theme.text, {at.x, at.y + theme.px(3)}, theme.ink, label);
    ImGui::SetCursorScreenPos({at.x + text_width(theme.text, label), at.y});
    pressed += icon_button(state, "more", Icon::forward, help) ? 1 : 0;
    ImGui::PopID();
    return pressed;
}

float stepper_width(const viz::Theme& theme, const std::string& label)
{
    return text_width(theme.text, label) + theme.px(54);
}

// Block and warp at the right; returns where they begin.
float draw_choosers(const Snapshot& snapshot, State& state, const Area& area, float y)
{
    const viz::Theme& theme = state.theme;
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr || state.tracks.front().block() == nullptr)
        return area.right();
    const recording::Index3& grid = recording->launch.grid;
    const std::string block =
        fmt::format("block {} of {}", block_text(state.tracks.front().block()->block), extent_text(grid));
    const std::string warp = fmt::format("warp {} of {}", state.at.selection.warp, recording->launch.warps_per_block());
    const float left = area.right() - stepper_width(theme, block) - stepper_width(theme, warp) - theme.px(10);
    ImGui::SetCursorScreenPos({left, y});
    const bool only_these = snapshot.choice.columns[0].file || snapshot.shows_shipped(0);
    if (const int by = draw_stepper(state, "block", block,
                                    only_these ? "Another of the blocks that were recorded in full · b, B"
                                               : "Another block; it is recorded where it was not yet · b, B"))
        move_block(snapshot, state, by);
    if (const int by = draw_stepper(state, "warp", warp, "Another warp of the block · w, W"))
        move_warp(state, by);
    return left;
}

viz::Colour phase_colour(viz::PhaseKind kind, const viz::Theme& theme)
{
    switch (kind) {
    case viz::PhaseKind::load: return theme.load;
    case viz::PhaseKind::wait:
    case viz::PhaseKind::barrier: return theme.barrier;
    case viz::PhaseKind::compute: return theme.compute;
    case viz::PhaseKind::store: break;
    }
    return theme.store;
}

std::string named(const WarpTrack& track, viz::PhaseKind kind)
{
    switch (kind) {
    case viz::PhaseKind::load: return "load";
    case viz::PhaseKind::wait: return "wait";
    case viz::PhaseKind::barrier: return "barrier";
    case viz::PhaseKind::compute: return track.computes() ? "compute" : "read";
    case viz::PhaseKind::store: break;
    }
    return "store " + track.stored_array();
}

std::string phase_label(const WarpTrack& track, const viz::Phase& phase)
{
    if (phase.kind == viz::PhaseKind::store)
        return named(track, phase.kind);
    const bool only_loads = track.k_tiles() == 0 && phase.fetched >= 0; // for other warps
    if (track.k_tiles() <= 1 && !only_loads)                            // nothing to count
        return named(track, phase.kind);
    const bool ahead = phase.kind == viz::PhaseKind::load && phase.fetched >= 0;
    return fmt::format("{} {}", named(track, phase.kind), (ahead ? phase.fetched : phase.k_tile) + 1);
}

struct Bar {
    float left, width, top, bottom;
    float names;             // width of what stands before it, in a race
    double first, per_pixel; // units of the clock
    float x(double time) const { return left + static_cast<float>((time - first) / per_pixel); }
    float right() const { return left + width; }
};

// "load 3" beside the cursor, or "3" where that does not fit or not all of the kind are named. Nothing in what is narrower
// still: the tooltip has it.
void draw_phase_label(const viz::Theme& theme, const Bar& bar, const std::string& label, bool named,
                      std::pair<float, float> room, viz::Colour colour)
{
    const std::string number = label.substr(label.rfind(' ') + 1);
    for (const auto& [text, margin] : {std::pair{label, theme.px(10)}, {number, theme.px(4)}}) {
        if (text_width(theme.text, text) + margin > room.second - room.first || (!named && text != number))
            continue;
        draw_text(theme.text, {room.first + margin / 2, (bar.top + bar.bottom - line_height(theme.text)) / 2},
                  viz::ink_on(colour), text);
        return;
    }
}

// Those of one kind are named alike: all of them, or none where the last one's name is wider than its phase.
bool has_room_for_names(const State& state, const Bar& bar, const WarpTrack& track, viz::PhaseKind kind)
{
    const viz::Phase* last = track.last_phase(kind);
    if (last == nullptr)
        return false;
    const float width = static_cast<float>(
        static_cast<double>(track.clock().begin(last->first + last->count) - track.clock().begin(last->first)) /
        bar.per_pixel);
    return text_width(state.theme.text, phase_label(track, *last)) + state.theme.px(10) <= width;
}

// `cursor`: what the mark of the position covers, where no label stands.
void draw_phases(const State& state, const Bar& bar, const WarpTrack& track, std::pair<float, float> cursor)
{
    const viz::Theme& theme = state.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float gap = 1;
    std::map<viz::PhaseKind, bool> named;
    for (const viz::PhaseKind kind : {viz::PhaseKind::load, viz::PhaseKind::wait, viz::PhaseKind::barrier,
                                      viz::PhaseKind::compute, viz::PhaseKind::store})
        named[kind] = has_room_for_names(state, bar, track, kind);
    const auto begins = [&](const viz::Phase& phase) {
        return bar.x(static_cast<double>(track.clock().begin(phase.first)));
    };
    const auto ends = [&](const viz::Phase& phase) {
        return bar.x(static_cast<double>(track.clock().begin(phase.first + phase.count)));
    };
    const auto end = track.phases().end();
    const auto after = [&](auto first, float x) {
        return std::partition_point(first, end, [&](const viz::Phase& phase) { return ends(phase) < x; });
    };
    // Of those narrower than a pixel, one in each: as many as the bar is wide at most.
    for (auto next = after(track.phases().begin(), bar.left); next != end && begins(*next) <= bar.right();) {
        const viz::Phase& phase = *next;
        const float from = begins(phase), to = ends(phase);
        next = after(next + 1, from + 1);
        const viz::Colour colour = phase_colour(phase.kind, theme);
        list.AddRectFilled({from, bar.top},
                           {std::max(to - (to - from > 3 ? gap : 0), from + theme.px(1.5f)), bar.bottom}, colour);
        // The larger part of what the cursor leaves of it.
        const float left = std::max(from, bar.left), right = std::min(to, bar.right());
        std::pair room{left, right};
        if (cursor.first < right && cursor.second > left)
            room = cursor.first - left > right - cursor.second ? std::pair{left, cursor.first}
                                                               : std::pair{cursor.second, right};
        draw_phase_label(theme, bar, phase_label(track, phase), named[phase.kind], room, colour);
    }
}

// Why who comes first says nothing; nothing where it says something.
viz::Rich why_no_race(const WarpTrack& track, const WarpTrack& other)
{
    const auto work = viz::work_of_warp(*track.recording(), *other.recording());
    viz::Value::List uncounted;
    for (const WarpTrack* one : {&track, &other})
        if (one->clock().leaves_out())
            uncounted.emplace_back(one->recording()->stage);
    if (work && !uncounted.empty())
        return viz::rich("no race: what tensor cores read is not counted ({})", std::move(uncounted));
    if (work == 1)
        return {};
    if (!work)
        return viz::rich("another problem");
    return *work < 1 ? viz::rich("a warp does 1/{} of the other's work", viz::rounded(1 / *work))
                     : viz::rich("a warp does {} times the other's work", viz::rounded(*work));
}

std::string runner_label(const viz::StageColumn& stage, const WarpTrack& track)
{
    return (stage.variant.empty() ? stage.slug : stage.variant) + "  " + thousands(track.clock().total());
}

// The name and the length before the bar, and behind the end of one that is done before the last, by how much.
void draw_runner(const State& state, const Bar& bar, const viz::StageColumn& stage, const WarpTrack& track,
                 const WarpTrack& other)
{
    const viz::Theme& theme = state.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = (bar.top + bar.bottom - line_height(theme.text)) / 2;
    const uint64_t total = track.clock().total(), others = other.clock().total();
    const float before = bar.left - theme.px(6) - bar.names;
    list.AddRectFilled({before - theme.px(6), bar.top}, {before - theme.px(3), bar.bottom}, theme.accent(stage.number));
    draw_text(theme.text, {before, y}, theme.ink, runner_label(stage, track));
    if (total >= others)
        return;
    viz::Prose done(theme);
    if (const viz::Rich said = why_no_race(other, track); !said.empty())
        done.write(said);
    else
        done.write(viz::rich("{} {} of this warp fewer{}", viz::Value(others - total).as(viz::of_column(stage.number)),
                             name(clock_unit(state)), track.recording()->executed ? "" : ", as written"));
    const float end = bar.x(static_cast<double>(total)) + theme.px(8);
    if (end > bar.left && end + done.width() < bar.right())
        done.draw(&list, {end, y}, bar.right() - end);
}

// Where a stage is: its step, as wide as it costs.
std::pair<float, float> position_mark(const State& state, const Bar& bar, const viz::Clock& clock, std::size_t step)
{
    step = std::min(step, clock.steps() - 1);
    const float from = bar.x(static_cast<double>(clock.begin(step)));
    return {from, std::max(bar.x(static_cast<double>(clock.begin(step + 1))), from + state.theme.px(2))};
}

void draw_position_mark(const State& state, const Bar& bar, std::pair<float, float> mark)
{
    const viz::Theme& theme = state.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto& [from, to] = mark;
    list.AddRectFilled({from, bar.top - theme.px(2)}, {to, bar.bottom + theme.px(2)},
                       with_alpha(theme.ink, to - from > theme.px(8) ? 0.35f : 1.0f));
    list.AddRect({from, bar.top - theme.px(2)}, {to, bar.bottom + theme.px(2)}, theme.ink);
}

// From the top of one bar to that of the other.
float bar_pitch(const State& state)
{
    return state.theme.px(19);
}

// Dragging sets the time, of all stages where they race; the wheel zooms around the mouse.
void scrub(State& state, const Bar& bar)
{
    const double end = clock_end(state);
    const ImGuiIO& io = ImGui::GetIO();
    const double under = std::clamp(bar.first + (io.MousePos.x - bar.left) * bar.per_pixel, 0.0, end);
    if (ImGui::IsItemActive()) {
        state.playback.stop();
        go_to_time(state, under);
    }
    if (!ImGui::IsItemHovered())
        return;
    if (io.MouseWheel != 0)
        state.zoom.around((io.MousePos.x - bar.left) / bar.width, io.MouseWheel > 0 ? 1.25 : 0.8, end);
    const auto row = static_cast<int>((io.MousePos.y - bar.top) / bar_pitch(state));
    std::vector<const WarpTrack*> tracks; // those that have a bar
    for (const WarpTrack& one : state.tracks)
        if (one.steps() > 0)
            tracks.push_back(&one);
    const WarpTrack& track = *tracks[std::min(static_cast<std::size_t>(std::max(row, 0)), tracks.size() - 1)];
    const viz::Phase& phase = viz::phase_at(track.phases(), track.clock().step_at(under));
    state.hint =
        fmt::format("{}: steps {}-{}, each as wide as its {}. Drag to move, wheel to zoom.", phase_label(track, phase),
                    phase.first, phase.first + phase.count - 1, name(clock_unit(state)));
}

// One stage's phases with its place in them; in a race its name before them.
void draw_track(const State& state, const Bar& bar, const WarpTrack& track, std::size_t step)
{
    const std::pair<float, float> mark = position_mark(state, bar, track.clock(), step);
    draw_phases(state, bar, track, mark);
    draw_position_mark(state, bar, mark);
}

// A stage that runs, and its warp.
struct Runner {
    const viz::StageColumn& stage;
    const WarpTrack& track;
};

std::vector<Runner> runners_of(const Snapshot& snapshot, const State& state)
{
    std::vector<Runner> all;
    for (const viz::StageColumn& column : snapshot.columns)
        if (column.number == 0 || state.tracks[column.number].steps() > 0)
            all.push_back({column, state.tracks[column.number]});
    return all;
}

void draw_bars(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    if (state.tracks.front().steps() == 0)
        return;
    const std::vector<Runner> runners = runners_of(snapshot, state);
    const bool comparing = runners.size() > 1;
    if (comparing && state.learning.hides()) // their lengths say who is through first
        return;
    const float height = theme.px(comparing ? 16.0f : 24.0f), pitch = bar_pitch(state);
    float names = 0;
    const Runner* slowest = runners.data();
    for (const Runner& one : runners) {
        names = std::max(names, text_width(theme.text, runner_label(one.stage, one.track)));
        if (one.track.clock().total() > slowest->track.clock().total())
            slowest = &one;
    }
    const float left = area.x + theme.px(10) + (comparing ? names + theme.px(12) : 0);
    Bar bar{left, area.right() - theme.px(10) - left, area.y, area.y + height, names, 0, 1};
    bar.first = state.zoom.first;
    bar.per_pixel = state.zoom.shown(clock_end(state)) / bar.width;
    const float below = pitch * static_cast<float>(runners.size() - 1);
    ImGui::SetCursorScreenPos({bar.left, bar.top - theme.px(3)});
    ImGui::InvisibleButton("bar", {bar.width, height + theme.px(6) + below});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    scrub(state, bar);
    for (const Runner& one : runners) {
        if (comparing)
            draw_runner(state, bar, one.stage, one.track, slowest->track);
        list.PushClipRect({bar.left - theme.px(2), bar.top - theme.px(3)}, {bar.right(), bar.bottom + theme.px(3)},
                          true);
        draw_track(state, bar, one.track, state.at.selection.step_of(one.stage.number));
        list.PopClipRect();
        viz::mark(state.marks, fmt::format("bar {}", one.stage.number), {bar.left, bar.top},
                  {bar.x(static_cast<double>(one.track.clock().total())), bar.bottom});
        bar.top += pitch;
        bar.bottom += pitch;
    }
}

// Which stage is ahead, and by how much of the next one; nothing while all were put at the same step by hand.
viz::Rich race_words(const Snapshot& snapshot, const State& state)
{
    if (!snapshot.comparing() || !state.at.selection.has_own_step(1))
        return {};
    const std::vector<Runner> runners = runners_of(snapshot, state);
    double most = 0, next = -std::numeric_limits<double>::infinity(); // of the first stage's lead: it has 0
    const Runner* ahead = runners.data();
    for (const Runner& one : std::span(runners).subspan(1)) {
        // Where their steps are not alike, what share of them is done does not say what share of the work is.
        if (state.tracks.front().steps() != one.track.steps() || !why_no_race(state.tracks.front(), one.track).empty())
            return {};
        const double lead = viz::lead(state.tracks.front().clock(), one.track.clock(), state.playback.time());
        next = std::max(next, std::min(lead, most));
        if (lead > most)
            most = lead, ahead = &one;
    }
    const auto units = static_cast<int64_t>(std::lround(most - next));
    if (units == 0)
        return viz::rich("level");
    const viz::StageColumn& stage = ahead->stage;
    return viz::rich("{} is **{}** {} ahead",
                     viz::Value(stage.variant.empty() ? stage.slug : stage.variant).as(viz::of_column(stage.number)),
                     units, name(clock_unit(state)));
}

// How fast the clock runs, by a slider whose steps are ratios; in words where there is room up to `right`.
void draw_speed(State& state, float right)
{
    const viz::Theme& theme = state.theme;
    auto speed = static_cast<float>(state.playback.speed());
    ImGui::SetNextItemWidth(theme.px(80));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(4), theme.px(3)});
    if (ImGui::SliderFloat("##speed", &speed, static_cast<float>(Playback::least_speed),
                           static_cast<float>(Playback::most_speed), "",
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput)) {
        state.playback.set_speed(speed);
        state.chose_speed = true;
    }
    viz::mark_item(state.marks, "speed");
    hint(state,
         fmt::format("How many {} of the clock pass in a second, when playing · , and .", name(clock_unit(state))));
    ImGui::PopStyleVar();
    ImGui::SameLine(0, theme.px(8));
    const std::string speed_words = fmt::format("{:.0f}", state.playback.speed());
    std::string_view counted = name(clock_unit(state));
    if (speed_words == "1")
        counted.remove_suffix(1); // "1 wavefront"
    const std::string unit = fmt::format("{} {} per s###unit", speed_words, counted);
    if (ImGui::GetCursorScreenPos().x + viz::draw::button_width(unit.substr(0, unit.find('#')).c_str()) > right)
        return;
    if (quiet_button(state, unit, "clock"))
        next_unit(state);
    hint(state,
         "The clock counts wavefronts of shared memory, sectors of global memory, or steps. A step without any takes "
         "one · K");
    ImGui::SameLine(0, theme.px(8));
}

} // namespace

void draw_timeline(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_place("##time", area, theme.panel, false);
    ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.right(), area.y}, theme.border);
    const float y = area.y + theme.px(4);
    float right = draw_choosers(snapshot, state, area, y) - theme.px(8);
    ImGui::SetCursorScreenPos({area.x + theme.px(4), y});
    draw_transport(state);
    draw_speed(state, right);
    const float x = ImGui::GetCursorScreenPos().x;
    viz::Prose race(theme);
    race.write(race_words(snapshot, state));
    const float race_width = race.width();
    if (race_width > 0 && race_width < right - x) {
        race.draw(ImGui::GetWindowDrawList(), {right - race_width, y + theme.px(3)}, race_width + 1);
        right -= race_width + theme.px(16);
    }
    if (const std::size_t step = state.at.selection.step_of(1); step != state.at.selection.step) {
        viz::Prose other(theme);
        other.write(viz::rich("the second at step {}", viz::Value(viz::index(step)).as(viz::of_column(1))));
        if (other.width() < (right - x) / 2) {
            other.draw(ImGui::GetWindowDrawList(), {right - other.width(), y + theme.px(3)}, other.width() + 1);
            right -= other.width() + theme.px(16);
        }
    }
    const std::vector<std::string> positions = position_texts(state.tracks.front(), state.at.selection.step);
    const auto fitting = std::find_if(positions.begin(), positions.end(), [&](const std::string& position) {
        return text_width(theme.mono, position) < right - x;
    });
    if (fitting != positions.end())
        draw_text(theme.mono, {x, y + theme.px(4)}, theme.ink, *fitting);
    draw_bars(snapshot, state, {area.x, area.y + theme.px(33), area.width, area.height - theme.px(33)});
    ImGui::End();
}

} // namespace app
