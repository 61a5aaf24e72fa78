// Moves the window to a workspace, reports the current one, and derives dependent values in each frame.
#pragma once

#include "app/panels/state.h"
#include "app/workspace/state_file.h"

namespace app {

// Makes the session follow the current choice and returns its snapshot.
SnapshotPtr snapshot_of(Session& session, State& state);

// Returns what is shown, with the options of the view.
Workspace current_workspace(const State& state);

// Return the patch or saved state that shows the current workspace. Only a saved state includes an earlier version of a
// file.
Patch patch_of(const Snapshot& snapshot, const State& state);
SavedState saved_state(const Snapshot& snapshot, const State& state);

struct NavigationOptions {
    bool plays = false;    // play the step on arrival
    bool undoable = false; // Ctrl+Z reverts it
};
// Shows the patch or workspace as soon as its recordings are available. If a patch is invalid, sets a notice in the
// status line and returns false.
bool navigate(Session& session, State& state, const Patch& patch, NavigationOptions how = {});
void navigate(Session& session, State& state, const Workspace& workspace, NavigationOptions how = {});
// Navigates and also restores the patch's panels, page, lesson and quiz.
void show(Session& session, State& state, const Patch& patch);

void leave_pages(Session& session, State& state); // a running search stays open

// Returns whether the window still shows what it showed on arrival.
bool is_where_it_arrived(const State& state);

// Starts a comparison with the default stage while a view that needs two stages is shown, and ends it afterwards. Call
// it in each frame after the panels.
void compare_by_default(const Snapshot& now, State& state);

// Derives what follows from the workspace and the snapshot. Call it in each frame before the panels. Code that changes
// the workspace updates nothing else. The function keeps the selection within the recordings, or sets it when the
// recordings of a new workspace arrive. It updates four things: the warp tracks, the steps of the other columns, the
// playback time, and whether the page of a search is open. A stage that was not shown before opens at its default step.
// A default comparison does not change the step.
void derive(const Snapshot& snapshot, State& state);

// Moves each stage to its position at that time. Racing stages get separate steps.
void go_to_time(State& state, double time);

// Returns the index among the blocks recorded in full, or nothing if this block was not recorded.
std::optional<std::size_t> index_of_block(const recording::Index3& block, const recording::Recording& recording);

} // namespace app
