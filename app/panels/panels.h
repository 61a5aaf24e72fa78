// The places of the window and the pages that take the view's place: each is drawn by one function, which lies in a file of its name.
// All of them draw into an area of the window, or at ImGui's cursor where none is given.
#pragma once

#include "app/state/commands.h"
#include "app/state/state.h"

namespace app {

// The left place: every stage with its speed, verified or not; click to look at one, Shift-click to compare.
void draw_ladder(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// What is said in place of speeds while they are hidden.
inline constexpr const char* times_hidden = "Speeds are hidden; F6 reveals them.";

// What a side panel shows when it is closed: a strip that opens it. True when it was clicked.
bool draw_closed_panel(const State& state, const Area& area, const char* name);

// The lines between the view and the panels beside it, which can be dragged.
void draw_splitters(State& state, const Layout& layout);

// Which stages are shown, with parameters that the person can change, and how the numbers of the view were had: in the row above
// everything where that has room, else in one of its own above the view. It ends `room` pixels to the right of ImGui's cursor.
void draw_stages_row(const Snapshot& snapshot, Session& session, State& state, float room);
// What it takes; folded: with the parameters behind a button.
float stages_row_width(const Snapshot& snapshot, const State& state, bool folded);

// The row below it, of a CUDA file with a main of its own: whether that may run, then what it launched, of which another launch is
// chosen, and what it printed. Nothing where the file has no main, or the user said no.
void draw_main_bar(const Snapshot& snapshot, Session& session, State& state, float room);

// Below that, where it is open: how a kernel of the CUDA file that is shown is launched alone, in fields that run as they are typed.
void draw_launch_form(const Snapshot& snapshot, Session& session, State& state, float room);

// Of a recording that was not made here: where it is from, and a button to make one here, or to go back to it. Behind what ImGui
// drew last; nothing where all were made here.
void draw_shipped(const Snapshot& snapshot, Session& session, State& state);
float shipped_width(const Snapshot& snapshot, const State& state);

// What the GPU counted of the recorded stage, beside what the source says and what the machine code runs. Asks the session for the
// counters of the recording, which it begins to read.
void draw_counters(const Snapshot& snapshot, Session& session, State& state, const RecordingPtr& recording,
                   const Area& area);

// The bottom place: one position in time for everything. Transport, the chosen warp's phases, block and warp.
void draw_timeline(const Snapshot& snapshot, State& state, const Area& area);

// The line at the bottom: in plain words what is under the mouse or selected, and where the recording comes from.
void draw_status(const Snapshot& snapshot, const State& state, const Area& area);

// The column beside the picture: a lesson's step, or a question and what became of it.
void draw_lesson_column(Session& session, State& state, const Area& area);
void draw_quiz(Session& session, State& state);

// The first page: what C = A x B is, and the ladder as what it is.
void draw_first_page(const Snapshot& snapshot, Session& session, State& state, const Area& area);
void leave_first_page(State& state);

// The page that is open in the view's place. False: none is, and the view is to be drawn.
bool draw_open_page(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// The page of courses, lessons and concepts.
void draw_library(Session& session, State& state, const Area& area);

// The page with what published ladders claim, beside what a GPU gave here.
void draw_claims(const Snapshot& snapshot, State& state, const Area& area);

// The page with what a GPU counted of the whole ladder and of the libraries.
void draw_counter_table(const Snapshot& snapshot, State& state, const Area& area);

// The page on which a person has another program's kernels listed and chooses the one to record.
void draw_programs(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// The page that lists all keys: the window's own, from the one table that also serves them, and the views'.
void draw_help(const Commands& commands, State& state, const Area& area);

// The field of Ctrl+P over the window.
void draw_palette(State& state, float width, float height);

// What a class sees beside the window: where the pointer was, and at the lower edge of the view the keys that were pressed.
void draw_presenting(State& state, const Area& view);

} // namespace app
