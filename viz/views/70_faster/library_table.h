// What cuBLAS launches at Board::timed beside what two rungs launch: tiles, registers, shared memory, blocks, waves.
#pragma once

#include "viz/draw/draw.h"
#include "viz/view.h"

#include <array>

namespace viz {

struct LibraryTable {
    std::array<const RungFigures*, 2> rungs{};     // null: nothing is known of it
    std::array<std::optional<int>, 2> under_way{}; // of their recordings: see k_tiles_under_way()
    ViewFrame& frame;
};

// The table, and in the inspector where it is from; or why it is not known and what to run. Fills the box.
void draw_library(const LibraryTable& table, const draw::Box& box);

} // namespace viz
