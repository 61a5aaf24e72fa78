#include "app/panels/navigation.h"

#include "app/panels/position.h"

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

// Applies the clock's unit. After a change of the clock the step stays and its time changes.
void follow_clock(State& state)
{
    bool other = false;
    for (WarpTrack& track : state.tracks)
        other |= track.keep_time(clock_unit(state));
    if (other && state.tracks.front().steps() > 0)
        state.timed = {};
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
    selection.warp = viz::telling_warp(*first.block(), selection.warp);
    follow_warps(snapshot, state);
    selection.step = viz::default_step(*first.warp(), two ? second.warp() : nullptr);
    selection.other_steps = {};
    return true;
}

// Returns whether the recordings of the choice are available.
bool is_ready(const Snapshot& snapshot, const Choice& chosen)
{
    return snapshot.choice.has_same_rungs(chosen) && snapshot.recorded().size() == snapshot.columns.size() &&
           std::ranges::none_of(snapshot.details, &ColumnDetails::busy);
}

// Returns the arrival once its recordings are available. Returns nothing if there is no navigation or it is still
// waiting.
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

// Returns the selection on arrival. Properties that the patch omits stay unchanged.
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

// Opens the page of a search while a search is shown and no other page is open.
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
    if (learning.hides())
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

} // namespace app
