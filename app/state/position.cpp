#include "app/state/position.h"

#include "app/catalogue/recordings.h"
#include "app/text/format.h"
#include "viz/analysis/access_messages.h"
#include "viz/analysis/counterpart.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

// Which k-tile the phase works on, and which one it fetches; of what is no product which round of loads and work; nothing
// where there is but one.
std::optional<viz::Message> tile_at(const WarpTrack& track, const viz::Phase& phase)
{
    if (phase.kind == viz::PhaseKind::store)
        return viz::Message{"timeline.storing", {{"output", track.stored_array()}}};
    if (track.k_tiles() <= 1)
        return std::nullopt;
    const viz::Index tile = viz::index(std::min(phase.k_tile + 1, track.k_tiles())),
                     tiles = viz::index(track.k_tiles());
    if (track.recording()->executed && !track.recording()->executed->multiplies)
        return viz::Message{"timeline.round", {{"tile", tile}, {"tiles", tiles}}};
    if (phase.fetched >= 0 && phase.fetched != phase.k_tile)
        return viz::Message{"timeline.k_tile_loading",
                            {{"tile", tile}, {"tiles", tiles}, {"loading", viz::index(phase.fetched + 1)}}};
    return viz::Message{"timeline.k_tile", {{"tile", tile}, {"tiles", tiles}}};
}

// True where another clock is in force than before.
bool keep_time(State& state, viz::ClockUnit unit)
{
    bool other = false;
    for (WarpTrack& track : state.tracks)
        other |= track.keep_time(unit);
    return other;
}

State::Timed timed_now(const State& state)
{
    State::Timed now{state.selection.step, {}, clock_unit(state)};
    std::ranges::transform(state.tracks, now.warps.begin(), &WarpTrack::warp);
    return now;
}

uint32_t around(uint32_t value, int by, uint64_t count)
{
    if (count == 0)
        return 0;
    const auto size = static_cast<int64_t>(count);
    return static_cast<uint32_t>(((static_cast<int64_t>(value) + by) % size + size) % size);
}

// None: it was not recorded in full.
std::optional<std::size_t> index_of_block(const recording::Index3& block, const recording::Recording& recording)
{
    const auto found = std::ranges::find(recording.blocks, block, &recording::BlockTrace::block);
    return found == recording.blocks.end() ? std::nullopt
                                           : std::optional<std::size_t>(found - recording.blocks.begin());
}

// Its block is the one of the same place, as in the views.
void follow_beside(const viz::RecordingPtr& other, const State& state, WarpTrack& track)
{
    viz::Selection selection = state.selection;
    if (other != nullptr && state.tracks.front().block() != nullptr)
        selection.block = index_of_block(state.tracks.front().block()->block, *other).value_or(selection.block);
    track.follow(other, selection);
}

// Of a file the day, else how long ago; nothing where the recording does not say.
viz::Value when_made(const recording::Recording& recording, bool from_file)
{
    const auto made = parse_time(recording.recorded_at);
    if (!made)
        return "";
    if (from_file)
        return viz::Message{"status.on_day", {{"date", recording.recorded_at.substr(0, 10)}}};
    return age(std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now() - *made));
}

} // namespace

std::vector<std::string> position_texts(const WarpTrack& track, std::size_t step)
{
    const recording::Access* access = track.access(step);
    if (access == nullptr)
        return {};
    step = std::min(step, track.steps() - 1);
    const viz::Phase& phase = viz::phase_at(track.phases(), step);
    // Counted from 0, as lanes, warps, the views and the command line's --step do.
    const viz::Index at = viz::index(step), steps = viz::index(track.steps()), line = viz::index(access->line);
    std::vector<std::string> texts;
    if (const std::optional<viz::Message> tile = tile_at(track, phase)) {
        texts.push_back(
            viz::plain({"timeline.at_all", {{"tile", *tile}, {"line", line}, {"step", at}, {"steps", steps}}}));
        texts.push_back(viz::plain({"timeline.at_tile", {{"tile", *tile}, {"step", at}, {"steps", steps}}}));
    } else {
        texts.push_back(viz::plain({"timeline.at_line", {{"line", line}, {"step", at}, {"steps", steps}}}));
    }
    texts.push_back(viz::plain({"timeline.at_step", {{"step", at}, {"steps", steps}}}));
    texts.push_back(viz::plain({"timeline.at", {{"step", at}, {"steps", steps}}}));
    return texts;
}

std::string launch_text(const recording::Launch& launch)
{
    return viz::plain({"header.launched",
                       {{"grid", extent_text(launch.grid)},
                        {"one", launch.grid.volume() == 1},
                        {"threads", launch.threads_per_block()}}});
}

std::string extent_text(const recording::Index3& grid)
{
    if (grid.z > 1)
        return fmt::format("{} × {} × {}", grid.x, grid.y, grid.z);
    return grid.y > 1 ? fmt::format("{} × {}", grid.x, grid.y) : std::to_string(grid.x);
}

void toggle_playing(State& state)
{
    if (state.playback.playing()) {
        state.playback.stop();
        return;
    }
    const double end = clock_end(state);
    const bool over = state.playback.time() >= end ||
                      (!state.selection.has_own_step(1) && state.selection.step + 1 >= state.tracks.front().steps());
    if (over)
        go_to_time(state, 0);
    // The words of single accesses are to be seen; what a whole k-tile does is not told by its accesses.
    const bool each = state.views[state.view]->shows_single_accesses();
    if (!state.chose_speed)
        state.playback.set_speed(each ? 8 : std::max(8.0, end / 40));
    state.playback.play();
}

viz::ClockUnit clock_unit(const State& state)
{
    if (state.unit || state.tracks.front().warp() == nullptr)
        return state.unit.value_or(viz::ClockUnit::wavefronts);
    return viz::telling_unit(std::ranges::all_of(state.tracks, &WarpTrack::uses_shared));
}

void next_unit(State& state)
{
    set_unit(state, static_cast<viz::ClockUnit>((static_cast<int>(clock_unit(state)) + 1) % 3));
}

void set_unit(State& state, viz::ClockUnit unit)
{
    state.unit = unit;
    keep_time(state, unit);
    state.zoom = {};
    follow_step(state);
}

double clock_end(const State& state)
{
    uint64_t end = 0;
    for (const WarpTrack& track : state.tracks)
        end = std::max<uint64_t>(end, track.clock().total());
    return static_cast<double>(end);
}

void go_to_time(State& state, double time)
{
    state.playback.set_time(time);
    state.selection.step = state.tracks.front().clock().step_at(time);
    state.timed = timed_now(state);
    for (std::size_t i = 1; i < viz::most_columns; ++i) {
        const WarpTrack& track = state.tracks[i];
        state.selection.other_steps[i - 1] =
            track.steps() > 0 ? std::optional(track.clock().step_at(time)) : std::nullopt;
    }
}

viz::Movement motion_of(const State& state)
{
    viz::Movement motion{.wanted = state.settings.motion};
    if (state.playback.playing()) {
        for (std::size_t i = 0; i < viz::most_columns; ++i)
            motion.shares[i] = state.tracks[i].clock().share_of_step(state.playback.time());
    }
    return motion;
}

std::size_t like_beside(const State& state, const WarpTrack& beside)
{
    const std::size_t step = state.selection.step;
    if (state.tracks.front().warp() == nullptr || beside.warp() == nullptr)
        return step;
    return viz::counterpart({*state.tracks.front().recording(), *state.tracks.front().warp()}, step,
                            {*beside.recording(), *beside.warp()});
}

void follow_step(State& state)
{
    const State::Timed now = timed_now(state);
    if (now == state.timed)
        return;
    state.timed = now;
    for (std::size_t i = 1; i < viz::most_columns; ++i) {
        const std::size_t like = like_beside(state, state.tracks[i]);
        state.selection.other_steps[i - 1] = like == state.selection.step ? std::nullopt : std::optional(like);
    }
    state.playback.set_time(static_cast<double>(state.tracks.front().clock().begin(state.selection.step)));
}

void move_warp(State& state, int by)
{
    if (const recording::BlockTrace* block = state.tracks.front().block())
        state.selection.warp = around(state.selection.warp, by, block->warps.size());
}

void move_lane(State& state, int by)
{
    state.selection.lane = around(state.selection.lane, by, recording::warp_size);
}

void move_block(Session& session, State& state, int by)
{
    const SnapshotPtr snapshot = session.snapshot();
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr || state.tracks.front().block() == nullptr)
        return;
    const auto select = [&](const recording::Index3& block) {
        session.change([&](Choice& choice) { choice.block = block; });
    };
    const bool shipped = snapshot->shows_shipped(0);
    if (snapshot->choice.file || shipped) {
        state.selection.block = around(static_cast<uint32_t>(state.selection.block), by, recording->blocks.size());
        if (shipped) // column 1 may be recorded here
            select(recording->blocks[state.selection.block].block);
        return;
    }
    const recording::Index3& grid = recording->launch.grid;
    const recording::Index3& block = state.tracks.front().block()->block;
    const uint32_t linear = (block.z * grid.y + block.y) * grid.x + block.x;
    const uint32_t next = around(linear, by, grid.volume());
    select({next % grid.x, next / grid.x % grid.y, next / (grid.x * grid.y)});
    follow_selection(*session.snapshot(), state); // what is to be recorded may take a while
}

void show_block(Session& session, State& state, const recording::Index3& block)
{
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr)
        return;
    const std::optional<std::size_t> kept = index_of_block(block, *recording);
    const SnapshotPtr snapshot = session.snapshot();
    if (!kept && (snapshot->choice.file || snapshot->shows_shipped(0)))
        return;
    state.selection.block = kept.value_or(state.selection.block);
    session.change([&](Choice& choice) { choice.block = block; });
    follow_selection(*session.snapshot(), state);
}

void follow_selection(const Snapshot& snapshot, State& state)
{
    viz::Selection& selection = state.selection;
    const std::shared_ptr<const recording::Recording>& recording = snapshot.columns.front().recording;
    if (recording != nullptr && recording.get() != state.tracks.front().recording() && !recording->blocks.empty()) {
        // Of a block that was not recorded in full, the first, as of all stages that do not have it.
        selection.block =
            index_of_block(block_within(snapshot.choice.block, recording->launch.grid), *recording).value_or(0);
        const recording::Recording* before = state.tracks.front().recording();
        if (before == nullptr || before->source().name != recording->source().name)
            selection.line.reset();
        state.zoom = {};
    }
    if (recording != nullptr && !recording->blocks.empty()) {
        selection.block = std::min(selection.block, recording->blocks.size() - 1);
        const std::size_t warps = recording->blocks[selection.block].warps.size();
        selection.warp = std::min(selection.warp, warps == 0 ? 0u : static_cast<uint32_t>(warps - 1));
    }
    state.tracks.front().follow(recording, selection);
    for (std::size_t i = 1; i < viz::most_columns; ++i)
        follow_beside(i < snapshot.columns.size() ? snapshot.columns[i].recording : nullptr, state, state.tracks[i]);
    if (state.tracks.front().steps() > 0)
        selection.step = std::min(selection.step, state.tracks.front().steps() - 1);
    // Neither a lane without a thread nor an element beside C stays selected.
    uint64_t threads = recording::warp_size;
    if (recording != nullptr)
        threads = std::clamp<uint64_t>(recording->launch.block.volume(), 1, recording::warp_size);
    selection.lane = std::min(selection.lane, static_cast<uint32_t>(threads - 1));
    if (recording != nullptr && selection.c && recording->arrays.size() > 2 &&
        (selection.c->first >= recording->arrays[2].rows || selection.c->second >= recording->arrays[2].cols))
        selection.c.reset();
    for (std::size_t i = 1; i < viz::most_columns; ++i)
        if (state.tracks.front().steps() == 0 || state.tracks[i].steps() == 0)
            selection.other_steps[i - 1].reset();
    if (keep_time(state, clock_unit(state)) && state.tracks.front().steps() > 0) // the step stays, at another time
        state.timed = {}, follow_step(state);
}

std::string selection_text(const State& state)
{
    const recording::Access* access = state.tracks.front().access(state.selection.step);
    if (access == nullptr)
        return "";
    return viz::plain({"status.selected",
                       {{"block", block_text(state.tracks.front().block()->block)},
                        {"warp", viz::index(state.selection.warp)},
                        {"lane", viz::lane_message(*state.tracks.front().recording(), state.tracks.front().elements(),
                                                   *access, state.selection.lane)}}});
}

std::string origin_text(const Snapshot& snapshot, const State& state)
{
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr || state.tracks.front().block() == nullptr)
        return "";
    viz::Messages from;
    if (snapshot.shows_shipped(0)) {
        from.push_back(viz::how_had(recording::provenance_of(*recording, true)));
        if (changed_since(*recording, snapshot.ladder()[*snapshot.leading_rung()]))
            from.push_back({"status.changed_since"});
    } else {
        const viz::Value when = when_made(*recording, snapshot.choice.file.has_value());
        from.push_back(recording->device.backend == "cpu"
                           ? viz::Message{"status.recorded_on_cpu", {{"when", when}}}
                           : viz::Message{"status.recorded_on", {{"device", recording->device.name}, {"when", when}}});
    }
    return viz::plain({"status.from_block",
                       {{"from", viz::Value::List(from.begin(), from.end())},
                        {"block", block_text(state.tracks.front().block()->block)},
                        {"blocks", recording->launch.grid.volume()}}});
}

} // namespace app
