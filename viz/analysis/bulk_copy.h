// Derives the boxes that bulk copies move and the operands that tensor cores read directly. No lane's addresses contain
// them; they follow from the recorded corners and the extents of the shared tiles. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/ownership.h"

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace viz {

// One bulk copy: two consecutive steps, its read (bulk_load) and its write (bulk_store).
struct BulkCopy {
    std::size_t step = 0; // of the write; the read is the step before
    uint8_t from = 0, to = 0;
    // Equal sizes. The box in global memory may extend beyond its matrix, where zeros are copied.
    CellRect source, target;
};

// Returns the bulk copies of a warp. If one copy fills a tile or copies it back, its box is the whole tile. If several
// copies fill a tile, each begins where the previous one ends, and its box in global memory moves along with its box in
// the tile.
std::vector<BulkCopy> bulk_copies(const recording::Recording& recording, const recording::WarpTrace& warp);

// The operands of a wgmma, which is recorded as two consecutive steps. The first step has the operand with the 64 rows
// of the instruction.
//
// If that operand is A, the recording has its first row and the first k of B, and all columns of B are read. If it is
// B, whose tiles follow A's, the product is transposed: the recording has the first k and column of B, of which 64
// columns are read, and all rows of A are read. The instruction covers 16 k (8 with elements of 4 bytes). In a
// recording of a kernel that is not a stage, each operand starts at the address in its descriptor, and the instruction
// determines its layout.
struct GroupOperands {
    uint8_t a = 0, b = 0; // operands of the instruction
    CellRect a_cells, b_cells;
    uint32_t columns = 0; // of the instruction's b and its sums
    uint32_t depth = 0;
    bool turned = false; // the sums are the transpose of a part of C

    uint32_t rows_of_c() const { return turned ? columns : group_rows; }
    uint32_t cols_of_c() const { return turned ? group_rows : columns; }
    static constexpr uint32_t group_rows = 64; // m64
};
// Returns the operands of the wgmma at a step, or nothing if the step is no wgmma.
std::optional<GroupOperands> group_operands(const recording::Recording& recording, const recording::WarpTrace& warp,
                                            std::size_t step);

// Returns the elements that a step touches: those of its lanes, a copied box, or an operand. `bulk` has the bulk copies
// of the warp.
std::vector<Cell> cells_of_step(const recording::Recording& recording, const recording::WarpTrace& warp,
                                std::size_t step, const Elements& elements, const std::vector<BulkCopy>& bulk);

} // namespace viz
