// Tables of what the window knows, for files and for the report.
#pragma once

#include "app/panels/state.h"
#include "app/text/table.h"

#include "viz/figure/rows.h"

#include <string>
#include <string_view>
#include <vector>

namespace app {

Table speeds_of_ladder(const Snapshot& snapshot); // speed of each stage at each size, and its arithmetic intensity
Table ceilings_of_gpu(const Snapshot& snapshot);  // bandwidths and arithmetic, measured or computed from its properties
Table compared_figures(const Snapshot& snapshot, const State& state);
Table costs_of_lines(const Snapshot& snapshot, const State& state);   // costs of shared memory by source line
Table sectors_of_lines(const Snapshot& snapshot, const State& state); // sectors of global memory by source line

Table table_of(const std::vector<viz::FigureRow>& rows); // content of a figure

// Returns what Ctrl+T saves: the table of a page, "counters" or "candidates", otherwise "view".
std::string table_shown(const Snapshot& snapshot, const State& state);

// Returns a file name for the table.
std::string name_of_table(const Snapshot& snapshot, const State& state, const State::TableRequest& request);

// Returns CSV or JSON. `drawn` is the view's content, if the view was requested. Throws kernels::Error if there is
// nothing to show.
std::string text_of_table(const Snapshot& snapshot, const State& state, const State::TableRequest& request,
                          const std::vector<viz::FigureRow>& drawn);

// The small button in the corner of a table or chart that saves its figures.

// Draws the button in the current window. `of`: see State::TableRequest.
void draw_table_corner(State& state, std::string_view of, ImVec2 right_top);

} // namespace app
