// Taking the window to a workspace, and saying which one it shows.
#pragma once

#include "app/state/state.h"
#include "app/workspace/state_file.h"

namespace app {

// Returns what is shown, with the options of the view.
Workspace here(const Snapshot& snapshot, const State& state);

// The patch that shows it. A version of a file that was run before is part of a saved state alone.
Patch patch_of(const Snapshot& snapshot, const State& state);
SavedState saved_state(const Snapshot& snapshot, const State& state);

struct Going {
    bool plays = false;    // its step, on arrival
    bool undoable = false; // Ctrl+Z takes it back
};
// Shows it as soon as its recordings are there. Where it cannot be, what is wrong goes to the status line, and false is returned.
bool navigate(Session& session, State& state, const Patch& patch, Going how = {});
void navigate(Session& session, State& state, const Workspace& workspace, Going how = {});
// The same with its panels, its page, its lesson or quiz.
void show(Session& session, State& state, const Patch& patch);

// Opens a page over the view, in place of any other; none: closes it. A search that goes on stays.
void open_page(State& state, Page page);
void leave_pages(const Snapshot& snapshot, Session& session, State& state);

// Whether the window still shows what it showed on arrival.
bool is_where_it_arrived(const Snapshot& snapshot, const State& state);

} // namespace app
