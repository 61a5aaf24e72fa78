// What cuBLAS launches beside what two rungs launch: tiles, registers, shared memory, blocks, waves.
#pragma once

#include "viz/board.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

#include <array>

namespace viz {

struct LibraryTable {
    std::array<const RungFacts*, 2> rungs{}; // null: nothing is known of it
    const Board& board;                      // at Board::timed
    const Theme& theme;
    Marks* marks = nullptr;
};

// A heading, the table and its origin; or why it is not known and what to run. Returns the height.
float draw_library(const LibraryTable& table, const draw::Box& box);

} // namespace viz
