#include "app/panels/panels.h"

#include "app/panels/derive.h"
#include "app/panels/navigation.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "recording/recording.h"
#include "viz/draw/camera.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/figure.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace app {

namespace {

enum class Icon { to_start, phase_back, back, play, pause, forward, phase_forward, to_end }; // as on a tape player

void draw_icon(Icon icon, ImVec2 centre, float size, viz::Colour colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto triangle = [&](float x, float direction) {
        list.AddTriangleFilled({centre.x + x - direction * size / 2, centre.y - size},
                               {centre.x + x - direction * size / 2, centre.y + size},
                               {centre.x + x + direction * size / 2, centre.y}, colour);
    };
    const auto bar = [&](float x) {
        list.AddRectFilled({centre.x + x - size * 0.16f, centre.y - size},
                           {centre.x + x + size * 0.16f, centre.y + size}, colour);
    };
    switch (icon) {
    case Icon::to_start: bar(-size * 0.8f), triangle(size * 0.2f, -1); break;
    case Icon::to_end: bar(size * 0.8f), triangle(-size * 0.2f, 1); break;
    case Icon::phase_back: triangle(-size * 0.5f, -1), triangle(size * 0.5f, -1); break;
    case Icon::phase_forward: triangle(-size * 0.5f, 1), triangle(size * 0.5f, 1); break;
    case Icon::back: triangle(0, -1); break;
    case Icon::forward: triangle(0, 1); break;
    case Icon::play: triangle(0, 1.5f); break;
    case Icon::pause: bar(-size * 0.45f), bar(size * 0.45f); break;
    }
}

bool is_for_fingers(const State& state)
{
    return is_narrow(ImGui::GetIO().DisplaySize.x, state.theme.scale);
}

ImVec2 icon_room(const State& state)
{
    return is_for_fingers(state) ? ImVec2{state.theme.px(36), state.theme.px(38)}
                                 : ImVec2{state.theme.px(27), state.theme.px(24)};
}

// Draws a button at ImGui's cursor and moves the cursor to its right. Returns whether it was pressed. The status line
// shows `help` while the mouse is over it.
bool icon_button(State& state, const char* id, Icon icon, std::string_view help)
{
    const viz::Theme& theme = state.theme;
    const bool pressed = ImGui::InvisibleButton(id, icon_room(state));
    viz::mark_item(state.marks, id);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) {
        ImGui::GetWindowDrawList()->AddRectFilled(min, max, with_alpha(theme.border, 0.7f), theme.px(3));
        state.hint = help;
    }
    draw_icon(icon, {(min.x + max.x) / 2, (min.y + max.y) / 2}, theme.px(is_for_fingers(state) ? 7 : 5),
              hovered ? theme.ink : theme.ink_quiet);
    ImGui::SameLine(0, 0);
    return pressed;
}

void draw_transport(State& state)
{
    std::size_t& step = state.at.selection.step;
    const std::size_t count = state.tracks.front().steps();
    const auto& phases = state.tracks.front().phases();
    const bool few = is_for_fingers(state); // the ends have no room there
    if (!few && icon_button(state, "start", Icon::to_start, "To the first access · Home"))
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
    if (!few && icon_button(state, "end", Icon::to_end, "To the last access · End"))
        step = moved(step, static_cast<long>(count), count);
}

// Draws for example "‹ warp 0 of 8 ›". Returns -1 or 1 if an arrow was pressed, otherwise 0.
int draw_stepper(State& state, const char* id, const std::string& label, std::string_view help)
{
    const viz::Theme& theme = state.theme;
    ImGui::PushID(id);
    int pressed = 0;
    pressed -= icon_button(state, "less", Icon::back, help) ? 1 : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(theme.text, {at.x, at.y + (icon_room(state).y - line_height(theme.text)) / 2}, theme.ink, label);
    ImGui::SetCursorScreenPos({at.x + text_width(theme.text, label), at.y});
    pressed += icon_button(state, "more", Icon::forward, help) ? 1 : 0;
    ImGui::PopID();
    return pressed;
}

float stepper_width(const State& state, const std::string& label)
{
    return text_width(state.theme.text, label) + 2 * icon_room(state).x;
}

// Draws the choosers of block and warp at the right. Returns their left end.
float draw_choosers(const Snapshot& snapshot, State& state, const Area& area, float y)
{
    const viz::Theme& theme = state.theme;
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr || state.tracks.front().block() == nullptr)
        return area.right();
    const recording::Index3& grid = recording->launch.grid;
    const bool few = is_for_fingers(state);
    std::string block = fmt::format("block {}", block_text(state.tracks.front().block()->block));
    std::string warp = fmt::format("warp {}", state.at.selection.warp);
    if (!few) {
        block += fmt::format(" of {}", extent_text(grid));
        warp += fmt::format(" of {}", recording->launch.warps_per_block());
    }
    const float left = area.right() - stepper_width(state, block) - stepper_width(state, warp) - theme.px(10);
    ImGui::SetCursorScreenPos({left, y});
    const bool only_these = snapshot.choice.columns[0].file || snapshot.shows_shipped(0);
    if (const int by =
            draw_stepper(state, "block", block,
                         only_these ? "Another of the blocks that were recorded in full, (x, y) · b, B"
                                    : "Another block, (x, y): across and down; recorded where it was not yet · b, B"))
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
    case viz::PhaseKind::load: return track.starts_copies() ? "start copy" : "load";
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
    const bool only_loads = track.k_tiles() == 0 && phase.fetched >= 0; // the warp loads for other warps
    if (track.k_tiles() <= 1 && !only_loads)                            // there is nothing to count
        return named(track, phase.kind);
    const bool ahead = phase.kind == viz::PhaseKind::load && phase.fetched >= 0;
    return fmt::format("{} {}", named(track, phase.kind), (ahead ? phase.fetched : phase.k_tile) + 1);
}

// Returns why a race between the two does not show which is faster, or nothing if it does.
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

// A racing stage and its warp.
struct Runner {
    const viz::StageColumn& stage;
    const WarpTrack& track;
    uint64_t total() const { return track.clock().total(); }
};

std::vector<Runner> runners_of(const Snapshot& snapshot, const State& state)
{
    std::vector<Runner> all;
    for (const viz::StageColumn& column : snapshot.columns)
        if (column.number == 0 || state.tracks[column.number].steps() > 0)
            all.push_back({column, state.tracks[column.number]});
    return all;
}

viz::Rich runner_name(const State& state, const Runner& runner)
{
    const viz::StageColumn& stage = runner.stage;
    return viz::rich("{}*{}* {}", viz::Swatch{state.theme.accent(stage.number)},
                     stage.variant.empty() ? stage.slug : stage.variant, runner.total());
}

// Returns the text after the end of a stage that finishes before the slowest: its lead.
viz::Rich done_words(const State& state, const Runner& runner, const Runner& slowest)
{
    if (runner.total() >= slowest.total())
        return {};
    if (viz::Rich said = why_no_race(slowest.track, runner.track); !said.empty())
        return said;
    return viz::rich("{} {} of this warp fewer{}",
                     viz::Value(slowest.total() - runner.total()).as(viz::of_column(runner.stage.number)),
                     name(clock_unit(state)),
                     recording::is_as_executed(*runner.track.recording()) ? "" : ", as written");
}

// Returns the part of the clock's time that the lanes show.
viz::TimeWindow shown_time(const State& state)
{
    return state.zoom.value_or(viz::TimeWindow{0, clock_end(state)});
}

// Returns the phases of a warp on the clock. All phases of one kind have names, or none if the last one's name is wider
// than its phase. `per_unit` is the number of pixels per clock unit.
viz::LaneLayer::Row phases_of(const State& state, const WarpTrack& track, double per_unit)
{
    const std::vector<viz::Phase>& phases = track.phases();
    viz::LaneLayer::Row row{.name = {}, .count = phases.size(), .at = {}};
    const auto time_of = [&](const viz::Phase& phase) {
        const auto begin = [&](std::size_t step) { return static_cast<double>(track.clock().begin(step)); };
        return std::pair{begin(phase.first), begin(phase.first + phase.count)};
    };
    const auto number_of = [&](std::size_t i) {
        const std::string label = phase_label(track, phases[i]);
        return label.substr(label.rfind(' ') + 1);
    };
    row.at = [=, &state, &phases](std::size_t i) {
        const auto [from, until] = time_of(phases[i]);
        return viz::LaneLayer::Interval{from, until, phase_colour(phases[i].kind, state.theme)};
    };
    row.words = [=, &state, &track, &phases](std::size_t i) {
        const viz::Phase& last = *track.last_phase(phases[i].kind);
        const auto [from, until] = time_of(last);
        const viz::Theme& theme = state.theme;
        return text_width(theme.mono, phase_label(track, last)) + theme.px(10) <= (until - from) * per_unit
                   ? phase_label(track, phases[i])
                   : number_of(i);
    };
    row.shorter = number_of;
    row.tip = [&](std::size_t i) {
        const viz::Phase& phase = phases[i];
        return viz::rich("{}: steps {}-{}, each as wide as its {}.", phase_label(track, phase), viz::index(phase.first),
                         viz::index(phase.first + phase.count - 1), name(clock_unit(state)));
    };
    return row;
}

// Returns the copies that are under way, as high as they are many. They overlap the phases above them.
viz::LaneLayer::Row copies_of(const State& state, const WarpTrack& track)
{
    const std::vector<viz::CopiesUnderWay>& copies = track.copies();
    std::size_t most = 1;
    for (const viz::CopiesUnderWay& one : copies)
        most = std::max(most, one.k_tiles.size());
    viz::LaneLayer::Row row{.name = {}, .count = copies.size(), .at = {}};
    row.at = [&state, &copies, &clock = track.clock(), most](std::size_t i) {
        const viz::CopiesUnderWay& one = copies[i];
        return viz::LaneLayer::Interval{static_cast<double>(clock.begin(one.first)),
                                        static_cast<double>(clock.begin(one.end)), state.theme.load,
                                        static_cast<float>(one.k_tiles.size()) / static_cast<float>(most)};
    };
    row.tip = [&copies](std::size_t i) {
        viz::Value::List tiles;
        for (const int tile : copies[i].k_tiles)
            tiles.emplace_back(tile + 1);
        return viz::rich("under way from global to shared memory meanwhile: k-tile {}.", std::move(tiles));
    };
    row.pixels = 10;
    row.id = "copies under way";
    return row;
}

// Returns the lane of a stage. Dragging in it sets the time, of all stages while they race.
viz::LaneLayer lane_of(State& state, const Runner& runner, const viz::Box& box, float names)
{
    const viz::TimeWindow shown = shown_time(state);
    const viz::Clock& clock = runner.track.clock();
    const std::size_t step = std::min(state.at.selection.step_of(runner.stage.number), clock.steps() - 1);
    viz::LaneLayer lane{.time = {.least = shown.from, .most = shown.until, .logarithmic = false},
                        .rows = {phases_of(state, runner.track, (box.width() - names) / shown.span())},
                        .cursor = static_cast<double>(clock.begin(step)),
                        .with_axis = false,
                        .cursor_length = static_cast<double>(clock.cost(step)),
                        .name = fmt::format("timeline {}", runner.stage.number),
                        .box = box,
                        .names = names,
                        .apart = true};
    lane.rows.front().id = fmt::format("bar {}", runner.stage.number);
    if (!runner.track.copies().empty() && box.height() >= state.theme.px(26)) // not in a race, whose lanes are low
        lane.rows.push_back(copies_of(state, runner.track));
    lane.drag = [&state](const viz::ViewScene&, double time) {
        state.playback.stop();
        go_to_time(state, time);
    };
    lane.kept = runner.track.lanes();
    return lane;
}

float lane_height(const viz::Theme& theme, std::size_t lanes)
{
    return theme.px(lanes > 1 ? 20 : 28);
}

// Draws each stage's phases and its position in them, preceded by its name in a race. The wheel zooms around the mouse.
void draw_lanes(const Snapshot& snapshot, State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    if (state.tracks.front().steps() == 0)
        return;
    const std::vector<Runner> runners = runners_of(snapshot, state);
    const bool comparing = runners.size() > 1;
    if (comparing && state.learning.hides()) // the lengths would reveal which stage finishes first
        return;
    const float height = lane_height(theme, runners.size());
    float names = 0;
    for (const Runner& one : runners)
        if (comparing)
            names = std::max(names, viz::RichText(theme).write(runner_name(state, one)).width() + theme.px(12));
    names = std::ceil(names);
    const Runner& slowest = *std::ranges::max_element(runners, {}, &Runner::total);
    viz::Box box{{area.x + theme.px(10), area.y}, {area.right() - theme.px(10), area.y + height}};
    viz::Panel panel{.id = "lanes", .box = box, .is_picture = false};
    panel.box.max.y += height * static_cast<float>(runners.size() - 1);
    for (const Runner& one : runners) {
        viz::LaneLayer lane = lane_of(state, one, box, names);
        if (comparing) {
            lane.rows.front().after = done_words(state, one, slowest);
            const viz::Box name{{box.min.x, box.min.y + (height - line_height(theme.text)) / 2}, box.max};
            panel.layers.emplace_back(viz::RichTextLayer{.words = runner_name(state, one), .box = name});
        }
        panel.layers.emplace_back(std::move(lane));
        box.min.y += height;
        box.max.y += height;
    }
    panel.use_mouse = [&](const viz::Box& all) {
        if (!ImGui::IsItemHovered())
            return;
        const double end = clock_end(state);
        viz::TimeWindow shown = shown_time(state);
        shown.use_wheel(all.min.x + names, all.max.x, {.whole = end, .least = 8});
        state.zoom = shown.span() < end ? std::optional(shown) : std::nullopt;
    };
    // Uses the status line, because a tooltip would cover the lanes.
    if (const auto phase = draw_silent_panel(state, panel))
        state.hint = viz::plain(*phase) + " Drag to move, wheel to zoom, Shift and wheel to move what is shown.";
}

// Returns which stage is ahead, and its lead over the next one. Returns nothing if the user selected a step, so that
// all stages are at matching steps.
viz::Rich race_words(const Snapshot& snapshot, const State& state)
{
    if (!snapshot.comparing() || !state.at.selection.has_own_step(1))
        return {};
    const std::vector<Runner> runners = runners_of(snapshot, state);
    // Leads over the first stage, whose own lead is 0.
    double most = 0, next = -std::numeric_limits<double>::infinity();
    const Runner* ahead = runners.data();
    for (const Runner& one : std::span(runners).subspan(1)) {
        // If the stages' steps do not match, the share of finished steps is not the share of finished work.
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

// Draws a logarithmic slider for the speed of the clock, followed by words if they fit up to `right`.
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
        counted.remove_suffix(1); // singular: "1 wavefront"
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
    begin_area("##time", area, theme.panel, false);
    draw_rule(theme, area, area.y);
    const float y = area.y + theme.px(4), row = icon_room(state).y + theme.px(6);
    float right = draw_choosers(snapshot, state, area, y) - theme.px(8);
    ImGui::SetCursorScreenPos({area.x + theme.px(4), y});
    draw_transport(state);
    if (!is_for_fingers(state))
        draw_speed(state, right);
    const float x = ImGui::GetCursorScreenPos().x;
    // Draws words at the right if they take no more than a share of the room.
    const auto say = [&](const viz::Rich& words, float share) {
        const viz::RichText prose = viz::RichText(theme).write(words);
        if (const float width = prose.width(); width > 0 && width < share * (right - x)) {
            prose.draw({right - width, y + theme.px(3)}, width + 1);
            right -= width + theme.px(16);
        }
    };
    say(race_words(snapshot, state), 1);
    if (const std::size_t step = state.at.selection.step_of(1); step != state.at.selection.step)
        say(viz::rich("the second at step {}", viz::Value(viz::index(step)).as(viz::of_column(1))), 0.5f);
    const std::vector<std::string> positions = position_texts(state.tracks.front(), state.at.selection.step);
    const auto fitting = std::find_if(positions.begin(), positions.end(), [&](const std::string& position) {
        return text_width(theme.mono, position) < right - x;
    });
    if (fitting != positions.end())
        draw_text(theme.mono, {x, y + theme.px(4)}, theme.ink, *fitting);
    draw_lanes(snapshot, state, {area.x, area.y + row, area.width, area.height - row});
    ImGui::End();
}

float still_timeline_height(const Snapshot& snapshot, const State& state, const viz::Theme& theme)
{
    const std::size_t lanes = state.tracks.front().steps() > 0 ? runners_of(snapshot, state).size() : 0;
    return lanes > 1 ? theme.px(32) + static_cast<float>(lanes) * lane_height(theme, lanes) : 0;
}

void draw_still_timeline(const Snapshot& snapshot, State& state, const viz::Theme& theme, const Area& area)
{
    const viz::Theme window_theme = std::exchange(state.theme, theme);
    viz::Marks* const window_marks = std::exchange(state.marks, nullptr);
    begin_area("##time", area, theme.panel, false);
    draw_rule(theme, area, area.y);
    const float margin = theme.px(10), y = area.y + theme.px(4), row = theme.px(26);
    const viz::RichText ahead = viz::RichText(theme).write(race_words(snapshot, state));
    ahead.draw({area.x + margin, y}, area.width - 2 * margin);
    const std::string step = fmt::format("step {} of {}", state.at.selection.step, state.tracks.front().steps());
    if (ahead.width() + text_width(theme.mono, step) + 3 * margin < area.width)
        draw_text_right(theme.mono, {area.right() - margin, y}, theme.ink_quiet, step);
    draw_lanes(snapshot, state, {area.x, area.y + row, area.width, area.height - row});
    ImGui::End();
    state.theme = window_theme;
    state.marks = window_marks;
}

void draw_status(const Snapshot& snapshot, const State& state, const Area& area)
{
    const viz::Theme& theme = state.theme;
    begin_area("##status", area, no_fill, false);
    draw_rule(theme, area, area.y);
    const float y = area.y + theme.px(4);
    const float left = area.x + theme.px(10);
    const std::string said = !snapshot.notice.empty() ? snapshot.notice
                             : !state.notice.empty()  ? state.notice
                             : !state.hint.empty()    ? state.hint
                             : snapshot.busy()        ? viz::plain(snapshot.columns.front().status) + " Esc cancels."
                                                      : selection_text(state);
    const std::string origin = origin_text(snapshot, state);
    // The selection has priority over the time of the recording.
    const float origin_width = text_width(theme.text, origin);
    const bool room = left + text_width(theme.text, said) + theme.px(24) + origin_width < area.right() - theme.px(10);
    if (room)
        draw_text_right(theme.text, {area.right() - theme.px(10), y}, theme.ink_quiet, origin);
    draw_text_within(theme.text, {left, y}, area.width - theme.px(20) - (room ? origin_width + theme.px(24) : 0),
                     theme.ink, said);
    ImGui::End();
}

} // namespace app
