// Derives what follows from the workspace and the snapshot, once at the start of each frame. Code that changes the workspace updates
// nothing else.
#pragma once

#include "app/state/state.h"

namespace app {

// Keeps the selection within the recordings, or sets it when the recordings of a new workspace arrive. Updates the warp tracks, the
// steps of the other columns and the playback time. Stages that were not shown before open at their default step; `borrowed`: the
// second stage is the default comparison of a view, and does not change the step.
void derive(const Snapshot& snapshot, State& state, bool borrowed);

// Where each stage is at that time. While two race, each has a step of its own.
void go_to_time(State& state, double time);

// Its place among the blocks that were recorded in full; none: it was not.
std::optional<std::size_t> index_of_block(const recording::Index3& block, const recording::Recording& recording);

} // namespace app
