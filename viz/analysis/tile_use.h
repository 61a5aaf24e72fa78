// What a block does with one of its shared tiles, by logical element, so that other places of the elements can be tried
// on the recorded accesses. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/mapping.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Accesses that have the same lanes touch the same elements, counted once each.
struct TilePattern {
    recording::Op op = recording::Op::shared_load;
    uint8_t width = 0;
    uint32_t line = 0, mask = 0;
    std::array<Cell, recording::warp_size> first{}; // each lane's first element
    uint64_t times = 0;
    // Of the write of an asynchronous copy, which also costs what its read asks of L1: where that reads, by banks.
    std::optional<model::CopyPattern> copy = {};
};

struct TileUse {
    uint8_t array = 0;
    std::vector<TilePattern> patterns; // by line
};

// Nothing where an address is no element of the tile.
std::optional<TilePattern> pattern_by_element(const recording::Access& access, const Elements& elements);

// Its addresses with the elements in those places.
model::Pattern pattern_at(const TilePattern& pattern, const recording::Array& tile, const Places& places);

// Accesses whose addresses are no elements of the tile are left out.
TileUse tile_use(const recording::Recording& recording, const recording::BlockTrace& block, uint8_t array);

// What the accesses of one line cost with the elements in those places.
struct LineCost {
    uint32_t line = 0;
    bool store = false;
    recording::SharedTotals totals;
};

struct TileCost {
    std::vector<LineCost> lines; // ascending, stores before loads
    recording::SharedTotals totals;
    std::optional<Message> refusal; // places that tear an access apart
};
TileCost cost_of(const TileUse& use, const recording::Array& tile, const Places& places);

// The XOR of the fewest bits that leaves these accesses the fewest conflicts; nothing where none has fewer than the places
// that were recorded.
std::optional<Mapping> curing_xor(const TileUse& use, const recording::Array& tile);

// Who touches an element: warps with the lanes that do at one line, at any time; of a bulk copy the lane that issues it,
// of a wgmma the warp that reads its operands.
struct Toucher {
    uint32_t line = 0;
    bool store = false;
    uint32_t warp = 0, lanes = 0;
    uint64_t times = 0; // by each of these lanes, at most
};
std::vector<Toucher> touchers_of(const recording::Recording& recording, const recording::BlockTrace& block,
                                 uint8_t array, Cell cell);

// "warp 1, lane 5 (line 66)", "warps 0-3, lanes 0-7 (line 81)"; several joined, the last ones summed up.
std::string touchers_text(const std::vector<Toucher>& touchers, bool store);

} // namespace viz
