// A table of the window as a file has it: of the view, of a page, of the ladder.
#pragma once

#include "app/state/state.h"

#include <string>

namespace app {

// What Ctrl+T saves: the page that is open over the view, else the view.
std::string table_shown(const Snapshot& snapshot, const State& state);

std::string name_of_table(const Snapshot& snapshot, const State& state, const State::TableWish& wish); // for its file

// CSV or JSON. Throws kernels::Error where there is nothing to show.
std::string text_of_table(const Snapshot& snapshot, const State& state, const State::TableWish& wish);

} // namespace app
