// The areas of the window, and the pages that replace the view. One function draws each of them and is defined in a
// file of the same name. They draw into the given area, or at ImGui's cursor if they have no area parameter.
#pragma once

#include "app/panels/state.h"
#include "app/workspace/commands.h"

#include <functional>
#include <string_view>
#include <vector>

namespace app {

// Draws the left panel: every stage with its speed and verdict. A click shows a stage; Shift-click compares it.
void draw_ladder(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// Draws below the ladder how its speeds were measured, and where cuBLAS is still ahead.
void draw_ladder_questions(const Snapshot& snapshot, State& state);

// Text that replaces speeds while they are hidden.
inline constexpr const char* times_hidden = "Speeds are hidden; F6 reveals them.";

// Draws a closed side panel: a strip that opens it. Returns true if it was clicked.
bool draw_closed_panel(const State& state, const Area& area, const char* name);

// Draws the draggable lines between the view and the side panels.
void draw_splitters(State& state, const Layout& layout);

// Draws the shown stages with their parameters, which the user can change, and the origins of the view's numbers. They
// go into the top row if it has room, otherwise into a row above the view. The row ends `room` pixels to the right of
// ImGui's cursor.
void draw_stages_row(const Snapshot& snapshot, Session& session, State& state, float room);
// Returns the width of that row; folded: with the parameters behind a button.
float stages_row_width(const Snapshot& snapshot, const State& state, bool folded);

// Draws the rows below it for a CUDA file, in `room` pixels. If the file has a main() of its own, the first row asks
// whether it may run, and then lists its launches. The form of F8 says how one kernel is launched without main(); each
// change of a field runs the kernel again. The last row says that threads race on shared memory.
void draw_file_rows(const Snapshot& snapshot, Session& session, State& state, float room);

// Draws a button at the right of ImGui's last item, with the origin of the shown recordings as its tooltip. The button
// records shipped stages on this CPU, or shows the shipped recording again. Draws nothing if no shown recording is
// shipped or has replaced a shipped one.
void draw_shipped(const Snapshot& snapshot, Session& session, State& state);
float shipped_width(const Snapshot& snapshot, const State& state);

// Draws the GPU's counters of the recorded stage, compared with what the source says and what the machine code runs.
// Requests the counters from the session.
void draw_counters(const Snapshot& snapshot, Session& session, State& state, const RecordingPtr& recording,
                   const Area& area);

// Draws the bottom panel: the common position in time, with playback buttons, the phases of the selected warp, and
// block and warp.
void draw_timeline(const Snapshot& snapshot, State& state, const Area& area);

// Draws a race for an exported picture, in its theme and without buttons: who is ahead, and below it the phases of each
// stage.
void draw_still_timeline(const Snapshot& snapshot, State& state, const viz::Theme& theme, const Area& area);
// Returns 0 if no stages race.
float still_timeline_height(const Snapshot& snapshot, const State& state, const viz::Theme& theme);

// Draws the status line: a description of what is under the mouse or selected, and the origin of the recording.
void draw_status(const Snapshot& snapshot, const State& state, const Area& area);

// Draws the column beside the picture: a lesson's step, or a question and its result.
void draw_lesson_column(Session& session, State& state, const Area& area);
void draw_quiz(Session& session, State& state);

// Draws the first page: the meaning of C = A x B, and the ladder.
void draw_first_page(const Snapshot& snapshot, Session& session, State& state, const Area& area);
void leave_first_page(State& state);

// Draws the page that replaces the view. Returns false if no page is open, so that the view must be drawn.
bool draw_open_page(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// Draws the page of courses, lessons and concepts.
void draw_library(Session& session, State& state, const Area& area);

// Draws the search for a stage's parameters: each candidate as a bar, fastest first, and the influence of each
// parameter.
void draw_search(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// Draws the page that compares claims of published ladders with a GPU's results.
void draw_claims(const Snapshot& snapshot, State& state, const Area& area);

// Draws the page with the GPU's counters of the whole ladder and of the libraries.
void draw_counter_table(const Snapshot& snapshot, State& state, const Area& area);

// Draws the page that lists another program's kernels, where the user chooses one to record.
void draw_programs(const Snapshot& snapshot, Session& session, State& state, const Area& area);

// Draws the page of all keys: those of the window's command table and those of the views.
void draw_help(const Commands& commands, State& state, const Area& area);

// Draws the palette of Ctrl+P over the window.
void draw_palette(State& state, float width, float height);

// Draws the additions for an audience: the pointer's trail, and the pressed keys at the lower edge of the view.
void draw_presenting(State& state, const Area& view, const Area& window);

// The table of all commands, for the keys, the help page and the palette of Ctrl+P.

class Shell;

Commands make_commands(Shell& shell);

using ViewAction = std::function<void(const viz::ViewScene&)>;
// Returns the commands of all views. `act` performs a command in the shown view. If a lesson command among `others`
// uses a key, the view gets this key with Alt.
Commands view_commands(const State& state, const Commands& others, const std::function<void(const ViewAction&)>& act);

// Returns the name of the view that receives keys; empty: none is shown.
std::string_view heard_by(const Snapshot& snapshot, const State& state);

// Returns the entries of the palette: the commands, and everything that can be shown or set by name.
std::vector<PaletteEntry> palette_entries(Shell& shell);

} // namespace app
