// Places that a tile's elements could have, a row each: what every source line would cost with them, and how long a bar of
// wavefronts that makes. The bars race: at the time that the recorded places need for what is done at the step, each of the
// others has done so much of its own. A click tries them.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

struct TileCosts {
    const StagePart& part;
    const SharedTile& side;
    draw::Box box;
    std::optional<Cell> cell; // whose bank is shown with each of the places
    bool formulas = true;     // below each name, where there is room
};

// The width of the names, for what else stands above them.
float tile_costs_names(const Theme& theme);
float tile_costs_height(const Theme& theme, bool formulas);

// What the mouse is over: a kind of places, and what is said of it there.
struct CostHit {
    Mapping::Kind kind = Mapping::Kind::recorded;
    Message said;
    bool clicked = false;
};
std::optional<CostHit> draw_tile_costs(const TileCosts& costs);

} // namespace viz
