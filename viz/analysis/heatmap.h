// All shared accesses of a block by source line and step, with what each cost. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace viz {

// What the warps did at one step on one line, added up.
struct HeatCell {
    std::size_t step = 0;
    recording::SharedTotals totals;
};

struct HeatRow {
    uint32_t line = 0;
    recording::Op op = recording::Op::shared_load;
    uint8_t array = 0;
    recording::SharedTotals totals; // the sum of the cells; of copies without what waits for L1
    std::vector<HeatCell> cells;    // ascending by step; steps without such an access are absent
};

struct Heatmap {
    std::vector<HeatRow> rows;      // ascending by line, stores before loads
    std::size_t steps = 0;          // of the longest warp
    recording::SharedTotals totals; // the sum of the rows, without the writes of asynchronous copies
    recording::SharedTotals copies; // those: the hardware's counters have them apart, too
    uint64_t conflicts = 0;         // of all rows: bank conflicts, those of copies among them
    uint64_t worst = 0;             // the most conflicts in one cell
};

// Over all warps of the block, or over one of them.
Heatmap heatmap(const recording::BlockTrace& block, std::optional<uint32_t> warp = {});

// The warp to look at for a cell: `now` where its access has conflicts, else the one with most.
uint32_t worst_warp(const recording::BlockTrace& block, const HeatRow& row, std::size_t step, uint32_t now);

// Null where the row has no access at this step.
const HeatCell* cell_at(const HeatRow& row, std::size_t step);

// The cell with the most conflicts among steps first ... end - 1; null if there is none.
const HeatCell* worst_cell(const HeatRow& row, std::size_t first, std::size_t end);

} // namespace viz
