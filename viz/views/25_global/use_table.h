// Every source line that goes to global memory, a row each: the sectors that one request moves, and what the launch moves.
#pragma once

#include "viz/views/25_global/global_part.h"

namespace viz {

struct UseTable {
    const GlobalPart& part;
    const Theme& theme;
    draw::Box box;
    uint64_t most_bytes = 1; // that get the whole length of a bar: of both stages, where two are compared
    Colour accent = 0;       // of bytes that the block uses, and paler of what the launch moves
    std::size_t rows = 0;    // to leave room for; at least those of the stage
};

// Places for a request's sectors in each row, as many as any of them moves, but no more than can be seen.
int squares_of(const std::vector<GlobalUse>& uses);

float use_table_height(const Theme& theme, std::size_t rows);

struct UseHit {
    const GlobalUse* use = nullptr;
    bool clicked = false;
};
// An ImGui item for each line.
std::optional<UseHit> draw_use_table(const UseTable& table);

// Of the line of most bytes.
uint64_t most_bytes(const std::vector<GlobalUse>& uses);

} // namespace viz
