// What follows from the workspace and from what is known: once a frame, before anything is drawn. Whoever changes the workspace leaves
// the rest to it.
#pragma once

#include "app/state/state.h"

namespace app {

// The selection within the recordings of the snapshot, or where the window is on its way to; the warps that the panels follow; the
// steps of the other columns and the time, after a step was chosen. Stages that were not shown before open at the step that tells most,
// unless all that changed is the one that a view borrowed to compare with.
void derive(const Snapshot& snapshot, State& state, bool borrowed);

// Where each stage is at that time. While two race, each has a step of its own.
void go_to_time(State& state, double time);

// Its place among the blocks that were recorded in full; none: it was not.
std::optional<std::size_t> index_of_block(const recording::Index3& block, const recording::Recording& recording);

} // namespace app
