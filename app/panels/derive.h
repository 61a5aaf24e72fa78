// Moves the selection and describes it. The timeline's buttons and the keys use these functions.
#pragma once

#include "app/panels/state.h"

#include <string>
#include <vector>

namespace app {

// Returns "k-tile 3 of 16 · line 61 · step 157 of 640" and ever shorter forms of it for narrow windows. Omits what the
// track does not have.
std::vector<std::string> position_texts(const WarpTrack& track, std::size_t step);

std::string launch_text(const recording::Launch& launch); // for example "8 × 8 × 4 blocks of 128 threads"
std::string extent_text(const recording::Index3& grid);   // for example "8 × 4", or "8" in one dimension

void toggle_playing(State& state); // starts again from the beginning if it is at the end

// Returns the clock that the shown stages run on.
viz::ClockUnit clock_unit(const State& state);
void next_unit(State& state); // switches to the next clock; the stages keep their steps
void set_unit(State& state, viz::ClockUnit unit);
double clock_end(const State& state); // time at which the slowest stage has finished

// Scrolls the timeline so that it shows the current step.
void show_position(State& state);
// Stops a limited playback at its end.
void stop_in_time(State& state);
// Returns how the words in a view move: with the playback clock while it runs, otherwise once for each new step.
viz::Movement motion_of(const State& state);

// Returns the step of another column's stage that matches the step of the first stage.
std::size_t like_beside(const State& state, const WarpTrack& beside);

// Select another warp or lane of the same block, wrapping around at the ends.
void move_warp(State& state, int by);
void move_lane(State& state, int by);

// Selects the next block of the grid in launch order and records it if necessary. A file offers only its recorded
// blocks.
void move_block(const Snapshot& snapshot, State& state, int by);

// Selects a block of the first column. A block that was not recorded in full is recorded now. The recording of a file
// cannot be extended, so a notice then names the blocks that the file has.
void show_block(Session& session, State& state, const recording::Index3& block);

// Gives the stage of a column other parameters. If nothing else is compared, the earlier state of column 0 stays in
// column 1 for comparison.
void change_parameters(const Snapshot& snapshot, State& state, std::size_t column,
                       const kernels::ParameterValues& values);

// Returns for example "block (0,0) · warp 0 · lane 13 reads Bs(3, 104..107) → ...".
std::string selection_text(const State& state);

// Returns for example "recorded on the CPU 2 min ago · block (0,0) of 1".
std::string origin_text(const Snapshot& snapshot, const State& state);

} // namespace app
