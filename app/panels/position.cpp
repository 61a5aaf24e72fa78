#include "app/panels/position.h"

#include "app/data/recordings.h"
#include "app/panels/navigation.h"
#include "app/text/format.h"
#include "viz/analysis/access_messages.h"
#include "viz/analysis/comparison.h"

#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

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

// Returns the date of a file, otherwise the age. Returns nothing if the recording does not say.
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
