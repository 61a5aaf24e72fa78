// The figures that a view draws, as a table: of a chart its points, of a picture of accesses the accesses.
#pragma once

#include "app/state/state.h"
#include "app/text/table.h"

namespace app {

// Of the stages shown, at the position that is shown. Throws kernels::Error where nothing is shown.
Table table_of_view(const Snapshot& snapshot, const State& state);

} // namespace app
