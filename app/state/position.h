// Moving the selection, and saying where it is. What the timeline's buttons and the keys both do.
#pragma once

#include "app/state/state.h"

#include <string>
#include <vector>

namespace app {

// "k-tile 3 of 16 · line 61 · step 157 of 640", and the same with less and less in it, for narrow windows; what the
// track has not is left out.
std::vector<std::string> position_texts(const WarpTrack& track, std::size_t step);

std::string launch_text(const recording::Launch& launch); // "8 × 8 × 4 blocks of 128 threads"
std::string extent_text(const recording::Index3& grid);   // "8 × 4", or "8" in one dimension

void toggle_playing(State& state); // from the start again when at the end

// The clock that the stages shown run on.
viz::ClockUnit clock_unit(const State& state);
void next_unit(State& state); // another clock; where the stages are stays
void set_unit(State& state, viz::ClockUnit unit);
double clock_end(const State& state); // when the slowest has finished

// The step within the part of the clock that the timeline's bars show.
void show_position(State& state);
// Stops what plays by itself at its end.
void stop_in_time(State& state);
// While a clock runs, words move by it; else a new step's words set out once.
viz::Movement motion_of(const State& state);

// The step of a stage beside the first that does what the first does in its step.
std::size_t like_beside(const State& state, const WarpTrack& beside);

// Another warp, or lane, of the same block; around at the ends.
void move_warp(State& state, int by);
void move_lane(State& state, int by);

// The next block of the grid, in launch order; recorded when it was not yet. A file has the blocks that it has.
void move_block(const Snapshot& snapshot, State& state, int by);

// Selects a block of the first column. A block that was not recorded in full is recorded now. The recording of a file cannot be
// extended, so a notice then names the blocks that the file has.
void show_block(Session& session, State& state, const recording::Index3& block);

// Gives the stage of a column other parameters. Where nothing else is compared, what column 0 was before is kept beside it.
void change_parameters(const Snapshot& snapshot, State& state, std::size_t column,
                       const kernels::ParameterValues& values);

// "block (0,0) · warp 0 · lane 13 reads Bs(3, 104..107) → ..."
std::string selection_text(const State& state);

// "recorded on the CPU 2 min ago · block (0,0) of 1"
std::string origin_text(const Snapshot& snapshot, const State& state);

} // namespace app
