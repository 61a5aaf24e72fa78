// The costs of all shared accesses of a block by source line and step. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace viz {

// The sum over all warps at one step of one line.
struct HeatCell {
    std::size_t step = 0;
    recording::SharedTotals totals;
};

// The shared accesses of one source line to one array.
struct HeatRow {
    uint32_t line = 0;
    recording::Op op = recording::Op::shared_load;
    uint8_t array = 0;
    recording::SharedTotals totals; // sum of the cells; of copies without the waits for L1
    std::vector<HeatCell> cells;    // ascending by step; steps without such an access are absent
};

// The costs of a block's or a warp's shared accesses.
struct Heatmap {
    std::vector<HeatRow> rows;      // ascending by line, then stores, loads, atomic operations
    std::size_t steps = 0;          // of the longest warp
    recording::SharedTotals totals; // sum of the rows, without the writes of asynchronous copies
    recording::SharedTotals copies; // the writes of asynchronous copies, which hardware counts separately
    uint64_t conflicts = 0;         // bank conflicts of all rows, including those of copies
    uint64_t worst = 0;             // the most conflicts in one cell
};

// Makes the heatmap of all warps of the block, or of one of them.
Heatmap heatmap(const recording::BlockTrace& block, std::optional<uint32_t> warp = {});

// Returns the warp to show for a cell: `now` if its access has conflicts, otherwise the warp with the most.
uint32_t worst_warp(const recording::BlockTrace& block, const HeatRow& row, std::size_t step, uint32_t now);

// Returns null if the row has no access at this step.
const HeatCell* cell_at(const HeatRow& row, std::size_t step);

// Returns the cell with the most conflicts among the steps from `first` up to but excluding `end`, or null if there are
// none.
const HeatCell* worst_cell(const HeatRow& row, std::size_t first, std::size_t end);

} // namespace viz
