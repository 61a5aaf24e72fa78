// Tables of what the window knows, for its files and for the report.
#pragma once

#include "app/state/state.h"
#include "app/text/table.h"

#include "viz/figure/rows.h"

#include <string>
#include <vector>

namespace app {

Table speeds_of_ladder(const Snapshot& snapshot); // each rung's speed at each size, and its intensity
Table ceilings_of_gpu(const Snapshot& snapshot);  // bandwidths and arithmetic, measured or by its data
Table compared_figures(const Snapshot& snapshot, const State& state);
Table costs_of_lines(const Snapshot& snapshot, const State& state);   // of shared memory, by source line
Table sectors_of_lines(const Snapshot& snapshot, const State& state); // of global memory, by source line

Table table_of(const std::vector<viz::FigureRow>& rows); // what a figure shows

// What Ctrl+T saves: the page that is open over the view, else the view.
std::string table_shown(const Snapshot& snapshot, const State& state);

std::string name_of_table(const Snapshot& snapshot, const State& state, const State::TableWish& wish); // for its file

// CSV or JSON. `drawn`: what the view shows, where the wish is for that. Throws kernels::Error where there is nothing to show.
std::string text_of_table(const Snapshot& snapshot, const State& state, const State::TableWish& wish,
                          const std::vector<viz::FigureRow>& drawn);

} // namespace app
