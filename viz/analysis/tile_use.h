// Lists a block's accesses to one of its shared tiles by logical element, so that other layouts can be evaluated for
// the recorded accesses. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/mapping.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// A group of accesses in which the same lanes touch the same elements.
struct TilePattern {
    recording::Op op = recording::Op::shared_load;
    uint8_t width = 0;
    uint32_t line = 0, mask = 0;
    std::array<Cell, recording::warp_size> first{}; // each lane's first element
    uint64_t times = 0;
    // For the write of an asynchronous copy, whose cost includes the L1 read: the banks of that read.
    std::optional<model::CopyPattern> copy = {};
};

// A block's accesses to one shared tile.
struct TileUse {
    uint8_t array = 0;
    std::vector<TilePattern> patterns; // by line
};

// Returns nothing if an address is not an element of the tile.
std::optional<TilePattern> pattern_by_element(const recording::Access& access, const Elements& elements);

// Returns the addresses of the pattern if the elements are at the given places.
model::Pattern pattern_at(const TilePattern& pattern, const recording::Array& tile, const Places& places);

// Ignores accesses whose addresses are not elements of the tile.
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

// Returns the XOR with the fewest bits that gives these accesses the fewest conflicts. Returns nothing if no XOR has
// fewer conflicts than the recorded layout.
std::optional<Mapping> curing_xor(const TileUse& use, const recording::Array& tile);

// Threads that access an element: a warp and its lanes at one source line, at any time. For a bulk copy it is the
// issuing lane, for a wgmma the warp that reads its operands.
struct CellUse {
    uint32_t line = 0;
    bool store = false;
    uint32_t warp = 0, lanes = 0;
    uint64_t times = 0; // maximum per lane
};
std::vector<CellUse> uses_of_cell(const recording::Recording& recording, const recording::BlockTrace& block,
                                  uint8_t array, Cell cell);

// Returns "warp 1, lane 5 (line 66)", "warps 0-3, lanes 0-7 (line 81)". Several entries are joined, and the last ones
// are summarized.
std::string uses_text(const std::vector<CellUse>& uses, bool store);

} // namespace viz
