// Lists a block's accesses to one of its shared tiles by element, so that other layouts can be evaluated for them. Pure
// functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/mapping.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Accesses in which the same lanes touch the same elements.
struct TilePattern {
    recording::Op op = recording::Op::shared_load;
    uint8_t width = 0;
    uint32_t line = 0, mask = 0;
    std::array<Cell, recording::warp_size> first{}; // each lane's first element
    uint64_t times = 0;
    // Set for the write of an asynchronous copy. Its cost also depends on the banks that its read uses.
    std::optional<model::CopyPattern> copy = {};
};

// A block's accesses to one shared tile.
struct TileUse {
    uint8_t array = 0;
    std::vector<TilePattern> patterns; // by line
};

// Returns nothing if some address is not that of an element of the tile.
std::optional<TilePattern> pattern_by_element(const recording::Access& access, const Elements& elements);

// Returns the addresses of the pattern if the elements are at these places.
model::Pattern pattern_at(const TilePattern& pattern, const recording::Array& tile, const Places& places);

// Ignores accesses to addresses that are not those of elements.
TileUse tile_use(const recording::Recording& recording, const recording::BlockTrace& block, uint8_t array);

// The cost of one source line's accesses with a given layout.
struct LineCost {
    uint32_t line = 0;
    bool store = false;
    recording::SharedTotals totals;
};

// The cost of all accesses to a tile with a given layout.
struct TileCost {
    std::vector<LineCost> lines; // ascending, stores before loads
    recording::SharedTotals totals;
    std::optional<Message> refusal; // the layout would split an access
};
TileCost cost_of(const TileUse& use, const recording::Array& tile, const Places& places);

// Returns the XOR that gives these accesses the fewest conflicts. Of several, returns the one with the fewest bits.
// Returns nothing if no XOR has fewer conflicts than the recorded layout.
std::optional<Mapping> curing_xor(const TileUse& use, const recording::Array& tile);

// The lanes of a warp that access an element on one source line, at any time. For a bulk copy it is the issuing lane.
// For a wgmma it is the warp that reads its operands.
struct CellUse {
    uint32_t line = 0;
    bool store = false;
    uint32_t warp = 0, lanes = 0;
    uint64_t times = 0; // the most by one lane
};
std::vector<CellUse> uses_of_cell(const recording::Recording& recording, const recording::BlockTrace& block,
                                  uint8_t array, Cell cell);

// Returns "warp 1, lane 5 (line 66)", "warps 0-3, lanes 0-7 (line 81)". Lists several entries, and summarizes the last
// ones if there are many.
std::string uses_text(const std::vector<CellUse>& uses, bool store);

} // namespace viz
