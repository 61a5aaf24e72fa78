#include "app/panels/derive.h"

#include "app/data/recordings.h"
#include "app/panels/navigation.h"
#include "app/text/format.h"

#include "viz/analysis/access_messages.h"
#include "viz/analysis/comparison.h"
#include "viz/analysis/ownership.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

namespace {

State::Timed timed_now(const State& state)
{
    State::Timed now{state.at.selection.step, {}, clock_unit(state)};
    std::ranges::transform(state.tracks, now.warps.begin(), &WarpTrack::warp);
    return now;
}

std::optional<viz::Owner> owner_of_element(const recording::Recording& recording, const viz::Selection& selection)
{
    return selection.c ? viz::owner_of(recording, selection.c->first, selection.c->second) : std::nullopt;
}

// Selects the chosen block after the recording has changed. Selects the first block if the chosen one was not recorded
// in full.
void enter_recording(const Snapshot& snapshot, State& state)
{
    const viz::RecordingPtr& recording = snapshot.columns.front().recording;
    const recording::Recording* const before = state.tracks.front().recording();
    if (recording == nullptr || recording.get() == before || recording->blocks.empty())
        return;
    viz::Selection& selection = state.at.selection;
    selection.block =
        index_of_block(block_within(snapshot.choice.block, recording->launch.grid), *recording).value_or(0);
    if (before == nullptr || before->source().name != recording->source().name)
        selection.line.reset();
    // A block that was recorded for the selected element of C has its thread.
    const recording::Index3& block = recording->blocks[selection.block].block;
    if (const auto owner = owner_of_element(*recording, selection);
        owner && owner->block_index == block && before != nullptr && !index_of_block(block, *before)) {
        selection.warp = owner->warp;
        selection.lane = owner->lane;
    }
    state.zoom.reset();
}

// Follows the selected warp of each column. The other columns follow the block with the same coordinates, like the
// views.
void follow_warps(const Snapshot& snapshot, State& state)
{
    viz::Selection& selection = state.at.selection;
    const viz::RecordingPtr& recording = snapshot.columns.front().recording;
    if (recording != nullptr && !recording->blocks.empty()) {
        selection.block = std::min(selection.block, recording->blocks.size() - 1);
        const std::size_t warps = recording->blocks[selection.block].warps.size();
        selection.warp = std::min(selection.warp, warps == 0 ? 0u : static_cast<uint32_t>(warps - 1));
    }
    WarpTrack& first = state.tracks.front();
    first.follow(recording, selection);
    for (std::size_t i = 1; i < viz::most_columns; ++i) {
        const viz::RecordingPtr other = i < snapshot.columns.size() ? snapshot.columns[i].recording : nullptr;
        viz::Selection beside = selection;
        if (other != nullptr && first.block() != nullptr)
            beside.block = index_of_block(first.block()->block, *other).value_or(beside.block);
        state.tracks[i].follow(other, beside);
        if (first.steps() == 0 || state.tracks[i].steps() == 0)
            selection.other_steps[i - 1].reset();
    }
    if (first.steps() > 0)
        selection.step = std::min(selection.step, first.steps() - 1);
}

// Keeps the selected lane below the number of threads, and deselects an element outside C.
void keep_within(const viz::RecordingPtr& recording, viz::Selection& selection)
{
    uint64_t threads = recording::warp_size;
    if (recording != nullptr)
        threads = std::clamp<uint64_t>(recording->launch.block.volume(), 1, recording::warp_size);
    selection.lane = std::min(selection.lane, static_cast<uint32_t>(threads - 1));
    if (recording != nullptr && selection.c && recording->arrays.size() > 2 &&
        (selection.c->first >= recording->arrays[2].rows || selection.c->second >= recording->arrays[2].cols))
        selection.c.reset();
}

// Applies a newly selected step: sets the playback time to it and moves the other columns to the matching steps.
void follow_step(State& state)
{
    const State::Timed now = timed_now(state);
    if (now == state.timed)
        return;
    state.timed = now;
    const std::size_t step = state.at.selection.step;
    for (std::size_t i = 1; i < viz::most_columns; ++i) {
        const std::size_t like = like_beside(state, state.tracks[i]);
        state.at.selection.other_steps[i - 1] = like == step ? std::nullopt : std::optional(like);
    }
    const viz::Clock& clock = state.tracks.front().clock();
    state.playback.set_time(static_cast<double>(clock.begin(step)));
    show_position(state);
}

// Applies the chosen clock unit. If it changes the clock, the step stays and its time is computed again.
void follow_clock(State& state)
{
    bool other = false;
    for (WarpTrack& track : state.tracks)
        other |= track.keep_time(clock_unit(state));
    if (other && state.tracks.front().steps() > 0)
        state.timed = {};
}

// Chooses the block of the selected element of C, which is then recorded, so that no view shows an element of one block
// beside the steps of another. Deselects the element if the block cannot be recorded here.
void record_block_of_element(const Snapshot& snapshot, State& state, const recording::Index3& block)
{
    const std::optional<std::size_t> rung = snapshot.choice.columns[0].rung;
    const MachineFacts* machine = snapshot.machine();
    const std::string why_not = rung && machine != nullptr ? why_not_on(*machine, snapshot.ladder()[*rung]) : "";
    if (!rung || machine == nullptr || !why_not.empty()) {
        state.notice = why_not;
        return state.at.selection.c.reset();
    }
    state.at.choice.block = block;
    if (snapshot.shows_shipped(0))
        state.at.choice.recorded_here.insert(*rung);
}

// Selects the thread that owns the selected element of C, if its block was recorded. Returns whether it did.
bool follow_element(const Snapshot& snapshot, State& state)
{
    const recording::Recording& recording = *state.tracks.front().recording();
    viz::Selection& selection = state.at.selection;
    const auto owner = owner_of_element(recording, selection);
    if (!owner)
        return false;
    const auto block = index_of_block(owner->block_index, recording);
    if (!block) {
        if (!state.learning.arrival) // a place names its own block
            record_block_of_element(snapshot, state, owner->block_index);
        return false;
    }
    selection.block = *block;
    selection.warp = owner->warp;
    selection.lane = owner->lane;
    return true;
}

// Opens newly shown stages at their default step. A default comparison moves nothing.
bool open_at_default_step(const Snapshot& snapshot, State& state)
{
    const bool two = snapshot.comparing() && !state.default_comparison.stages;
    const std::pair shown{snapshot.columns.front().slug, two ? snapshot.columns[1].slug : std::string()};
    const WarpTrack &first = state.tracks[0], &second = state.tracks[1];
    if (shown == state.opened || first.steps() == 0 || (two && second.steps() == 0))
        return false;
    const bool only_left_alone = shown.first == state.opened.first && !two;
    state.opened = shown;
    if (only_left_alone)
        return false;
    viz::Selection& selection = state.at.selection;
    if (!follow_element(snapshot, state))
        selection.warp = viz::telling_warp(*first.block(), selection.warp);
    follow_warps(snapshot, state);
    selection.step = viz::default_step(*first.warp(), two ? second.warp() : nullptr);
    if (!two)
        selection.step = viz::step_in_moved_tile(*first.recording(), *first.warp(), selection.step);
    selection.other_steps = {};
    return true;
}

// Returns whether the recordings of the choice are available.
bool is_ready(const Snapshot& snapshot, const Choice& chosen)
{
    return snapshot.choice.has_same_rungs(chosen) && snapshot.recorded().size() == snapshot.columns.size() &&
           std::ranges::none_of(snapshot.details, &ColumnDetails::busy);
}

// Returns the target of a navigation once its recordings are available. Until then, and without a navigation, returns
// nothing.
std::optional<Arrival> take_arrival(const Snapshot& snapshot, Learning& learning)
{
    if (!learning.arrival)
        return {};
    const Choice& chosen = learning.arrival->workspace.choice;
    if (!snapshot.choice.has_same_rungs(chosen))
        learning.arrival.reset(); // the user chose other stages meanwhile
    else if (is_ready(snapshot, chosen))
        return std::exchange(learning.arrival, std::nullopt);
    return {};
}

// Returns the selection at the target of a navigation. Properties that the patch omits stay unchanged.
viz::Selection selected(const viz::Selection& now, const Arrival& arrival, const recording::Recording& recording)
{
    if (!arrival.patch)
        return arrival.workspace.selection;
    const Patch& patch = *arrival.patch;
    viz::Selection selection = now;
    selection.block = block_of(patch, recording);
    if (patch.step || !patch.at.empty() || !patch.operation.empty() || patch.warp != 0)
        selection.warp = patch.warp;
    if (const auto step = step_of(patch, recording))
        selection.step = *step;
    selection.lane = arrival.workspace.selection.lane;
    selection.c = arrival.workspace.selection.c;
    selection.line = arrival.workspace.selection.line;
    selection.other_steps = {};
    return selection;
}

void select(const Snapshot& snapshot, State& state, const Arrival& arrival)
{
    state.at.selection = selected(state.at.selection, arrival, *snapshot.columns.front().recording);
    if (arrival.patch && arrival.patch->clock)
        state.at.clock = arrival.patch->clock;
    if (const std::size_t view = state.index_of_view(arrival.workspace.view); view < state.views.size())
        state.views[view]->set_options(arrival.workspace.arranged);
}

// Opens the page of a search while one is shown and no other page is open. Closes it afterwards.
void follow_search(const Snapshot& snapshot, State& state)
{
    const bool searched = snapshot.search() != nullptr;
    if (state.at.page == Page::candidates && !searched)
        state.at.page = Page::none;
    else if (state.at.page == Page::none && searched)
        state.at.page = Page::candidates;
}

void play_step(State& state)
{
    const viz::Clock& clock = state.tracks.front().clock();
    const auto begin = static_cast<double>(clock.begin(state.at.selection.step));
    const auto end = static_cast<double>(clock.begin(state.at.selection.step + 1));
    if (end <= begin)
        return;
    state.playback.set_time(begin);
    if (!state.chose_speed)
        state.playback.set_speed(std::max(1.0, (end - begin) / 3)); // three seconds, slow enough to count the waves
    state.playback.play();
    state.learning.stop_at = end - 1e-3;
}

void finish(State& state, const Arrival& arrival)
{
    if (arrival.patch && arrival.patch->time)
        go_to_time(state, std::min(*arrival.patch->time, clock_end(state)));
    state.zoom.reset();
    Learning& learning = state.learning;
    learning.arrived = current_workspace(state);
    if (arrival.plays)
        play_step(state);
    if (learning.quiz && learning.hides())
        learning.quiz->asked = state.at.selection;
}

} // namespace

std::optional<std::size_t> index_of_block(const recording::Index3& block, const recording::Recording& recording)
{
    const auto found = std::ranges::find(recording.blocks, block, &recording::BlockTrace::block);
    return found == recording.blocks.end() ? std::nullopt
                                           : std::optional<std::size_t>(found - recording.blocks.begin());
}

void derive(const Snapshot& snapshot, State& state)
{
    follow_search(snapshot, state);
    enter_recording(snapshot, state);
    follow_warps(snapshot, state);
    bool moved = open_at_default_step(snapshot, state);
    const std::optional<Arrival> arrival = take_arrival(snapshot, state.learning);
    if (arrival) {
        select(snapshot, state, *arrival);
        moved = true;
    }
    if (moved)
        follow_warps(snapshot, state);
    keep_within(snapshot.columns.front().recording, state.at.selection);
    follow_clock(state);
    follow_step(state);
    if (arrival)
        finish(state, *arrival);
}

void go_to_time(State& state, double time)
{
    state.playback.set_time(time);
    state.at.selection.step = state.tracks.front().clock().step_at(time);
    state.timed = timed_now(state);
    for (std::size_t i = 1; i < viz::most_columns; ++i) {
        const WarpTrack& track = state.tracks[i];
        state.at.selection.other_steps[i - 1] =
            track.steps() > 0 ? std::optional(track.clock().step_at(time)) : std::nullopt;
    }
}

namespace {

// Returns which k-tile the phase computes and which one it loads, or the rounds of loads and work in a kernel that is
// no product. Returns nothing if there is only one.
std::optional<std::string> tile_at(const WarpTrack& track, const viz::Phase& phase)
{
    if (phase.kind == viz::PhaseKind::store)
        return "storing " + track.stored_array();
    if (track.k_tiles() <= 1)
        return std::nullopt;
    const std::string tile = fmt::format("{} of {}", std::min(phase.k_tile + 1, track.k_tiles()), track.k_tiles());
    if (track.recording()->executed && !track.recording()->executed->multiplies)
        return "round " + tile;
    if (phase.fetched >= 0 && phase.fetched != phase.k_tile)
        return fmt::format("k-tile {}, loading {}", tile, phase.fetched + 1);
    return "k-tile " + tile;
}

uint32_t around(uint32_t value, int by, uint64_t count)
{
    if (count == 0)
        return 0;
    const auto size = static_cast<int64_t>(count);
    return static_cast<uint32_t>(((static_cast<int64_t>(value) + by) % size + size) % size);
}

// Returns the date of a recording from a file, or the age of any other. Empty if its time is unknown.
std::string when_made(const recording::Recording& recording, bool from_file)
{
    const auto made = parse_time(recording.recorded_at);
    if (!made)
        return "";
    if (from_file)
        return "on " + recording.recorded_at.substr(0, 10);
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
    // Counts from 0, like lanes, warps, the views and --step of the command line.
    const std::string at = fmt::format("{} of {}", step, track.steps()), at_step = "step " + at;
    const std::string at_line = fmt::format("line {} · {}", access->line, at_step);
    if (const std::optional<std::string> tile = tile_at(track, phase))
        return {*tile + " · " + at_line, *tile + " · " + at_step, at_step, at};
    return {at_line, at_step, at};
}

std::string launch_text(const recording::Launch& launch)
{
    return fmt::format("{} {} of {}", extent_text(launch.grid), launch.grid.volume() == 1 ? "block" : "blocks",
                       viz::counted(launch.threads_per_block(), "thread"));
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
    const bool over = state.playback.time() >= end || (!state.at.selection.has_own_step(1) &&
                                                       state.at.selection.step + 1 >= state.tracks.front().steps());
    if (over)
        go_to_time(state, 0);
    // Plays slowly if the view shows the words of single accesses, and faster if it shows whole k-tiles.
    const bool each = state.view().shows_single_accesses();
    if (!state.chose_speed)
        state.playback.set_speed(each ? 8 : std::max(8.0, end / 40));
    state.playback.play();
}

viz::ClockUnit clock_unit(const State& state)
{
    if (state.at.clock || state.tracks.front().warp() == nullptr)
        return state.at.clock.value_or(viz::ClockUnit::wavefronts);
    return viz::telling_unit(std::ranges::all_of(state.tracks, &WarpTrack::uses_shared));
}

void next_unit(State& state)
{
    set_unit(state, static_cast<viz::ClockUnit>((static_cast<int>(clock_unit(state)) + 1) % 3));
}

void set_unit(State& state, viz::ClockUnit unit)
{
    state.at.clock = unit;
    state.zoom.reset();
}

double clock_end(const State& state)
{
    uint64_t end = 0;
    for (const WarpTrack& track : state.tracks)
        end = std::max<uint64_t>(end, track.clock().total());
    return static_cast<double>(end);
}

void show_position(State& state)
{
    const viz::Clock& clock = state.tracks.front().clock();
    const std::size_t step = state.at.selection.step;
    if (state.zoom)
        reveal(*state.zoom, static_cast<double>(clock.begin(step)), static_cast<double>(clock.begin(step + 1)),
               clock_end(state));
}

void stop_in_time(State& state)
{
    std::optional<double>& stop_at = state.learning.stop_at;
    if (!stop_at || !state.playback.playing() || state.playback.time() < *stop_at)
        return;
    state.playback.stop();
    go_to_time(state, *stop_at); // the frame may have advanced beyond it into the next step
    stop_at.reset();
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
    const std::size_t step = state.at.selection.step;
    if (state.tracks.front().warp() == nullptr || beside.warp() == nullptr)
        return step;
    return viz::matching_step({*state.tracks.front().recording(), *state.tracks.front().warp()}, step,
                              {*beside.recording(), *beside.warp()});
}

void move_warp(State& state, int by)
{
    if (const recording::BlockTrace* block = state.tracks.front().block())
        state.at.selection.warp = around(state.at.selection.warp, by, block->warps.size());
}

void move_lane(State& state, int by)
{
    state.at.selection.lane = around(state.at.selection.lane, by, recording::warp_size);
}

void move_block(const Snapshot& snapshot, State& state, int by)
{
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr || state.tracks.front().block() == nullptr)
        return;
    const auto select = [&](const recording::Index3& block) {
        state.change([&](Choice& choice) { choice.block = block; });
    };
    const bool shipped = snapshot.shows_shipped(0);
    if (state.at.choice.columns[0].file || shipped) {
        state.at.selection.block =
            around(static_cast<uint32_t>(state.at.selection.block), by, recording->blocks.size());
        if (shipped) // column 1 may be recorded here
            select(recording->blocks[state.at.selection.block].block);
        return;
    }
    const recording::Index3& grid = recording->launch.grid;
    const recording::Index3& block = state.tracks.front().block()->block;
    const uint32_t linear = (block.z * grid.y + block.y) * grid.x + block.x;
    const uint32_t next = around(linear, by, grid.volume());
    select({next % grid.x, next / grid.x % grid.y, next / (grid.x * grid.y)});
}

void show_block(Session& session, State& state, const recording::Index3& block)
{
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr)
        return;
    const std::optional<std::size_t> kept = index_of_block(block, *recording);
    if (const auto& file = state.at.choice.columns[0].file; file && !kept) {
        viz::Value::List blocks;
        for (const recording::BlockTrace& one : recording->blocks)
            blocks.push_back(block_text(one.block));
        state.notice = viz::plain(viz::rich("Block {} was not recorded: {} has {}.", block_text(block),
                                            file->filename().string(), std::move(blocks)));
        return;
    }
    if (!kept)
        return session.record_block(block);
    state.at.selection.block = *kept;
    state.change([&](Choice& choice) { choice.block = block; });
}

void change_parameters(const Snapshot& snapshot, State& state, std::size_t column,
                       const kernels::ParameterValues& values)
{
    const std::optional<std::size_t> stage = state.at.choice.columns[column].rung;
    if (!stage || column >= snapshot.details.size())
        return;
    state.change([&](Choice& choice) {
        choice.change_parameters(column, values, snapshot.details[column].parameters, snapshot.standard[*stage],
                                 snapshot.is_tiny(*stage));
    });
}

std::string selection_text(const State& state)
{
    const recording::Access* access = state.tracks.front().access(state.at.selection.step);
    if (access == nullptr)
        return "";
    return fmt::format("block {} · warp {} · {}", block_text(state.tracks.front().block()->block),
                       state.at.selection.warp,
                       viz::lane_words(*state.tracks.front().recording(), state.tracks.front().elements(), *access,
                                       state.at.selection.lane));
}

std::string origin_text(const Snapshot& snapshot, const State& state)
{
    const recording::Recording* recording = state.tracks.front().recording();
    if (recording == nullptr || state.tracks.front().block() == nullptr)
        return "";
    std::string from;
    if (snapshot.shows_shipped(0)) {
        from = viz::plain(viz::how_had(recording::provenance_of(*recording, true)));
        if (changed_since(*recording, snapshot.ladder()[*snapshot.leading_rung()]))
            from += "; the stage's source has changed since";
    } else {
        from = fmt::format("recorded on {} {}", recording->device.backend == "cpu" ? "the CPU" : recording->device.name,
                           when_made(*recording, snapshot.choice.columns[0].file.has_value()));
    }
    return fmt::format("{} · block {} of {}", from, block_text(state.tracks.front().block()->block),
                       thousands(recording->launch.grid.volume()));
}

} // namespace app
