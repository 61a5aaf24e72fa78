// The table of what the accesses to a tile cost, as recorded and with the places that are tried.
#pragma once

#include "viz/marks.h"
#include "viz/views/35_layout/shared_tile.h"

namespace viz {

struct TileCosts {
    const SharedTile& side;
    const Theme& theme;
    Marks* marks = nullptr; // of the conflicts that count: the tried ones, where some are
};

void draw_tile_costs(const TileCosts& costs, const draw::Box& box);

} // namespace viz
