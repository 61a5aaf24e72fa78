// Taking the window to a workspace, saying which one it shows, and what follows from it in each frame.
#pragma once

#include "app/state/state.h"
#include "app/workspace/state_file.h"

namespace app {

// Has the session follow what is chosen by now; returns what is known of that.
SnapshotPtr snapshot_of(Session& session, State& state);

// Returns what is shown, with the options of the view.
Workspace current_workspace(const State& state);

// The patch that shows it. A version of a file that was run before is part of a saved state alone.
Patch patch_of(const Snapshot& snapshot, const State& state);
SavedState saved_state(const Snapshot& snapshot, const State& state);

struct NavigationOptions {
    bool plays = false;    // its step, on arrival
    bool undoable = false; // Ctrl+Z takes it back
};
// Shows it as soon as its recordings are there. Where it cannot be, what is wrong goes to the status line, and false is returned.
bool navigate(Session& session, State& state, const Patch& patch, NavigationOptions how = {});
void navigate(Session& session, State& state, const Workspace& workspace, NavigationOptions how = {});
// The same with its panels, its page, its lesson or quiz.
void show(Session& session, State& state, const Patch& patch);

void leave_pages(Session& session, State& state); // a search that goes on stays

// Whether the window still shows what it showed on arrival.
bool is_where_it_arrived(const State& state);

// Each frame, after the panels: compares with the rung below while a view of two is shown, or ends that.
void compare_by_default(const Snapshot& now, State& state);

// Each frame, before the panels: derives what follows from the workspace and the snapshot. Code that changes the workspace updates
// nothing else. It keeps the selection within the recordings, or sets it when the recordings of a new workspace arrive. It updates
// four things: the warp tracks, the steps of the other columns, the playback time, and whether the page of a search is open. A stage
// that was not shown before opens at its default step. A default comparison does not change the step.
void derive(const Snapshot& snapshot, State& state);

// Where each stage is at that time. While two race, each has a step of its own.
void go_to_time(State& state, double time);

// Its place among the blocks that were recorded in full; none: it was not.
std::optional<std::size_t> index_of_block(const recording::Index3& block, const recording::Recording& recording);

} // namespace app
