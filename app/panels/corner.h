// The small button in the corner of a table or chart that saves its figures.
#pragma once

#include "app/panels/state.h"

#include <string_view>

namespace app {

// Draws the button in the current window. `of`: see State::TableWish.
void draw_table_corner(State& state, std::string_view of, ImVec2 right_top);

} // namespace app
