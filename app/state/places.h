// Taking the window to a place, and coming back.
#pragma once

#include "app/state/state.h"

namespace app {

Whereabouts here(const Snapshot& snapshot, const State& state);

struct Going {
    bool plays = false;    // its step, on arrival
    bool undoable = false; // somebody chose to; else the program's own
};
// Shows it as soon as its recordings are there. Where the place cannot be, what is wrong goes to the status line.
void go_to(Session& session, State& state, const Place& place, Going how = {});
// `undoable`: somebody chose to; else the program's own.
void go_back_to(Session& session, State& state, const Whereabouts& where, bool undoable = false);

// Closes the pages that lie over the view: courses, claims, counters, candidates. A search that goes on stays.
void leave_pages(const Snapshot& snapshot, Session& session, State& state);

// The page with the table of counters, by a place's word: "counters", "accuracy"; any other closes it.
void show_counters(State& state, std::string_view page);

// Each frame: the step, the lane and the element, once the recordings are there.
void arrive(const Snapshot& snapshot, State& state);

// Whether the window still shows what it showed on arrival.
bool is_where_it_arrived(const Snapshot& snapshot, const State& state);

} // namespace app
